#pragma once

/// @file
/// The tiles of step any_shape, and a model of the time that a multiplication takes with each.
///
/// The idea: no tile is right for every shape, and trying them all takes longer than multiplying.
/// But how long a tile takes can be worked out: issue slots, wavefronts, bytes, rounds of blocks.

#include <algorithm>
#include <cstddef>

#include "any_shape_pieces.cuh"
#include "course/divide_up.hpp"
#include "problem.cuh"
#include "tma.cuh"

namespace any_shape {

/// A pipeline's shape, and how many blocks of it share a multiprocessor.
template <int kBlocks_, typename Pipeline>
struct Shape : Pipeline {
  static constexpr int kBlocks = kBlocks_;
};

// Blocks that share a multiprocessor; then a thread's sums, the block's tile, slices, k of a panel,
// stages. Two of the same size differ in what hides latencies: more warps a block, or more blocks.
using Large = Shape<1, pipeline::Shape<8, 16, 128, 256, 1, 32, 3>>;
using Middle = Shape<1, pipeline::Shape<6, 12, 96, 96, 2, 64, 4>>;
using Square = Shape<3, pipeline::Shape<8, 8, 64, 64, 2, 32, 4>>;
using Short = Shape<4, pipeline::Shape<8, 8, 64, 128, 1, 32, 2>>;
using Sliced = Shape<1, pipeline::Shape<8, 8, 64, 32, 8, 128, 4>>;
using SlicedShort = Shape<3, pipeline::Shape<8, 8, 64, 32, 4, 64, 3>>;
using Small = Shape<2, pipeline::Shape<4, 8, 32, 32, 8, 64, 4>>;
using SmallShort = Shape<3, pipeline::Shape<4, 8, 32, 32, 4, 64, 4>>;
using Tiny = Shape<2, pipeline::Shape<4, 4, 32, 16, 8, 128, 4>>;
using Least = Shape<3, pipeline::Shape<2, 4, 16, 16, 8, 128, 3>>;
using Flat64 = Shape<1, pipeline::Shape<8, 16, 64, 128, 4, 64, 4>>;
using Flat32 = Shape<1, pipeline::Shape<4, 16, 32, 128, 4, 64, 4>>;
using Flat32Short = Shape<3, pipeline::Shape<4, 16, 32, 128, 2, 32, 3>>;
using Flat16 = Shape<1, pipeline::Shape<2, 16, 16, 128, 4, 64, 5>>;
using Flat16Short = Shape<3, pipeline::Shape<2, 16, 16, 128, 2, 32, 4>>;
using Thin32 = Shape<1, pipeline::Shape<8, 8, 128, 32, 4, 64, 4>>;
using Thin32Short = Shape<3, pipeline::Shape<8, 8, 128, 32, 2, 32, 3>>;
using Thin16 = Shape<1, pipeline::Shape<8, 4, 128, 16, 4, 64, 5>>;
using Thin16Short = Shape<3, pipeline::Shape<8, 4, 128, 16, 2, 32, 4>>;

/// Adds up pieces in two rounds where one block would have too many to read.
inline Split split_into(int parts) {
  constexpr int kMostAtOnce = 8;
  if (parts <= kMostAtOnce) return {parts, parts};
  int fan = kMostAtOnce / 2;
  while (fan * fan < parts) ++fan;
  return {parts, fan};
}

/// Who fills the stages with panels of matrices that are not aligned: threads, float by float, or
/// TMA, after they have been copied to where it can read them.
enum class Fill { kByTma, kByThreads };

// The model's coefficients were fitted once to times of an H200, of about a hundred shapes with
// every tile; none of them knows a shape. Cycles are a multiprocessor's.
namespace model {

constexpr double kSchedulers = 4.0, kLanes = 32.0;
constexpr double kSlotsPerFma = 0.9463;       // issue slots
constexpr double kSlotsPerQuad = 63.15;       // beside loads and FFMA, of a warp, for four k
constexpr double kSlotsPerPanel = 69.31;      // barriers, requests
constexpr double kSlotsPerCopy = 24.03;       // of 32 floats, where threads copy
constexpr double kWavefrontsPerLoad = 2.166;  // of 16 bytes a lane
constexpr double kWavefrontsPerCopy = 6.76;
constexpr double kBytesPerCycle = 36.0;          // into the stages
constexpr int kBusyWarps = 8;                    // that hide all latencies from one another
constexpr double kHalfBusy = 0.7;                // of the issue slots are used by half as many
constexpr double kStart = 4263.0;                // until the first panel is there
constexpr double kNextBlock = 3159.0;            // the same where other blocks went before
constexpr double kStagedPerCycle = 21.8;         // floats, in the epilogue
constexpr double kStoredBytesPerCycle = 14.48;   // of C
constexpr double kWrittenBytesPerCycle = 9.777;  // pieces
constexpr double kReadBytesPerCycle = 19.26;     // pieces, by the block that adds them up
constexpr double kMeeting = 2541.0;          // until the last of several blocks knows that it is
constexpr double kMeetingsOfShares = 9.303;  // what even shares cost besides, in meetings
constexpr double kAlignLaunch = 2368.0;      // copies matrices for TMA
constexpr double kAlignedPerCycle = 138.0;   // floats, all multiprocessors together

/// How much of the issue slots so many warps can use.
inline double busy(int warps) {
  if (warps >= kBusyWarps) return 1.0;
  constexpr double kHalf = kBusyWarps / 2;
  return warps < kHalf ? kHalfBusy * warps / kHalf
                       : kHalfBusy + (1.0 - kHalfBusy) * (warps - kHalf) / kHalf;
}

/// What multiplying a block's panel costs where `blocks` blocks share a multiprocessor: issue
/// slots, wavefronts or bytes, whatever takes longest. Threads copy `copied` of its floats.
template <typename S>
double panel(int blocks, int copied) {
  constexpr double kLoads = S::kThreadM + S::kThreadN;  // of 16 bytes, for four k
  constexpr double kFma = 1.0 * kVector * S::kThreadM * S::kThreadN;
  constexpr double kQuadSlots = kFma * kSlotsPerFma + kLoads + kSlotsPerQuad;
  const double copies = copied / kLanes;
  const double slots =
      S::kWarps * (S::kQuads * kQuadSlots + kSlotsPerPanel) + copies * kSlotsPerCopy;
  const double wavefronts =
      1.0 * S::kWarps * S::kQuads * kLoads * kWavefrontsPerLoad + copies * kWavefrontsPerCopy;
  return std::max({slots / kSchedulers / busy(blocks * S::kWarps), wavefronts,
                   sizeof(float) * S::kStageFloats / kBytesPerCycle});
}

/// What staging and storing a tile costs.
template <typename S>
constexpr double epilogue() {
  return std::max(S::kTileFloats * S::kSlices / kStagedPerCycle,
                  sizeof(float) * S::kTileFloats / kStoredBytesPerCycle);
}

/// What reading a piece costs.
template <typename S>
constexpr double read() {
  return sizeof(float) * S::kTileFloats / kReadBytesPerCycle;
}

/// What copies of the matrices that TMA cannot read cost.
inline double aligning(const Sgemm& s) {
  const auto floats = static_cast<double>(tma::copies_floats(s));
  return floats == 0.0 ? 0.0 : kAlignLaunch + floats / kAlignedPerCycle;
}

/// Floats of a panel that threads copy.
template <typename S>
int copied(const Sgemm& s, Fill fill) {
  if (fill == Fill::kByTma) return 0;
  return (tma::is_aligned({s.A, s.lda}) ? 0 : S::kFloatsA) +
         (tma::is_aligned({s.B, s.ldb}) ? 0 : S::kStageFloats - S::kFloatsA);
}

}  // namespace model

/// How long the launch takes, in cycles.
template <typename S>
double predicted_cycles(const Sgemm& s, const Split& split, Fill fill) {
  const int copied = model::copied<S>(s, fill);
  const int panels = course::divide_up(course::divide_up(s.used_k(), S::kPanel), split.parts);
  // Of the busiest multiprocessor: blocks, and rounds in which it has as many at a time as it can.
  const int blocks = course::divide_up(tile_count<S>(s) * split.parts, s.multiprocessors);
  const int rounds = course::divide_up(blocks, S::kBlocks) - 1;
  const auto blocks_cycles = [&](int count, int at_a_time) {
    return count * (panels * model::panel<S>(at_a_time, copied) + model::epilogue<S>());
  };
  double cycles = model::kStart + rounds * model::kNextBlock +
                  blocks_cycles(rounds * S::kBlocks, S::kBlocks) +
                  blocks_cycles(blocks - rounds * S::kBlocks, blocks - rounds * S::kBlocks);
  if (fill == Fill::kByTma) cycles += model::aligning(s);
  if (split.parts == 1) return cycles;
  cycles += blocks * sizeof(float) * S::kTileFloats / model::kWrittenBytesPerCycle +
            model::kMeeting + split.fan * model::read<S>();
  if (split.fans() > 1) cycles += model::kMeeting + split.fans() * model::read<S>();
  return cycles;
}

/// The same for the step before this one, where it splits tiles.
template <typename S>
double predicted_share_cycles(const Sgemm& s) {
  const double tiles = 1.0 * tile_count<S>(s) / s.multiprocessors;
  return model::aligning(s) + model::kStart +
         tiles * course::divide_up(s.used_k(), S::kPanel) * model::panel<S>(1, 0) +
         (tiles + 1.0) * (model::epilogue<S>() + model::kNextBlock) +
         model::kMeetingsOfShares * model::kMeeting + 2.0 * model::read<S>();
}

}  // namespace any_shape
