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

using Large = Shape<1, pipeline::Shape<8, 16, 128, 256, 1, 32, 3>>;
using Middle = Shape<1, pipeline::Shape<6, 12, 96, 96, 2, 64, 4>>;
using Square = Shape<3, pipeline::Shape<8, 8, 64, 64, 2, 32, 4>>;
using Sliced = Shape<1, pipeline::Shape<8, 8, 64, 32, 8, 128, 4>>;
using Small = Shape<2, pipeline::Shape<4, 8, 32, 32, 8, 64, 4>>;
using Tiny = Shape<2, pipeline::Shape<4, 4, 32, 16, 8, 128, 4>>;
using Least = Shape<3, pipeline::Shape<2, 4, 16, 16, 8, 128, 3>>;
using Flat64 = Shape<1, pipeline::Shape<8, 16, 64, 128, 4, 64, 4>>;
using Flat32 = Shape<1, pipeline::Shape<4, 16, 32, 128, 4, 64, 4>>;
using Flat16 = Shape<1, pipeline::Shape<2, 16, 16, 128, 4, 64, 5>>;
using FlatShort = Shape<3, pipeline::Shape<2, 16, 16, 128, 2, 32, 4>>;
using Thin16 = Shape<1, pipeline::Shape<8, 4, 128, 16, 4, 64, 5>>;
using ThinShort = Shape<3, pipeline::Shape<8, 4, 128, 16, 2, 32, 4>>;
using Thin32 = Shape<1, pipeline::Shape<8, 8, 128, 32, 4, 64, 4>>;
using Short = Shape<6, pipeline::Shape<8, 8, 64, 64, 1, 32, 2>>;

/// Adds up pieces in two rounds where one block would have too many to read.
inline Split split_into(int parts) {
  constexpr int kMostAtOnce = 8;
  if (parts <= kMostAtOnce) return {parts, parts};
  int fan = kMostAtOnce / 2;
  while (fan * fan < parts) ++fan;
  return {parts, fan};
}

/// What a tile costs a multiprocessor, in cycles.
///
/// The coefficients were fitted once to times of an H200, of 76 shapes with every tile; none of
/// them knows a shape.
struct Costs {
  double panel;     // multiplying one: issue slots, wavefronts or bytes, whatever takes longest
  double start;     // until the first panel is there
  double epilogue;  // staging and storing the tile
  double piece;     // writing it as a piece

  template <typename S>
  static constexpr Costs of() {
    constexpr double kSlotsPerFma = 1.18, kOtherSlots = 55.0, kSchedulers = 4.0;
    constexpr double kWavefrontsPerLoad = 3.4, kBytesPerCycle = 36.0;
    constexpr double kStart = 6650.0, kStagedPerCycle = 26.0, kWrittenPerCycle = 11.0;
    constexpr double kLoads = S::kThreadM + S::kThreadN;  // of 16 bytes, for four k
    constexpr double kFma = 4.0 * S::kThreadM * S::kThreadN;
    constexpr double kWarpQuads = 1.0 * S::kWarps * S::kQuads;
    constexpr double kPieceBytes = 1.0 * sizeof(float) * S::kTileFloats;
    return {
        .panel = std::max({kWarpQuads / kSchedulers * (kFma * kSlotsPerFma + kLoads + kOtherSlots),
                           kWarpQuads * kLoads * kWavefrontsPerLoad,
                           sizeof(float) * S::kStageFloats / kBytesPerCycle}),
        .start = kStart,
        .epilogue = S::kTileFloats * S::kSlices / kStagedPerCycle,
        .piece = kPieceBytes / kWrittenPerCycle};
  }
};

constexpr double kMeetingCycles = 3700.0;     // until the last of several blocks knows that it is
constexpr double kReadBytesPerCycle = 167.0;  // pieces, by the block that adds them up
constexpr double kMeetingsOfShares = 4.3;     // what even shares cost besides, in meetings

/// Who fills the stages with panels of matrices that are not aligned: threads, float by float, or
/// TMA, after they have been copied to where it can read them.
enum class Fill { kByTma, kByThreads };

constexpr double kCopyCycles = 3000.0;           // a launch that copies a matrix
constexpr double kCopiedFloatsPerCycle = 200.0;  // of all multiprocessors
constexpr double kSlotsPerCopy = 3.0;            // of 32 floats, by a warp

/// What copies of the matrices that TMA cannot read cost.
inline double predicted_copy_cycles(const Sgemm& s) {
  const auto of = [](std::size_t floats) {
    return floats == 0 ? 0.0 : kCopyCycles + static_cast<double>(floats) / kCopiedFloatsPerCycle;
  };
  const int k = s.used_k();
  return of(tma::copy_floats({s.A, s.lda}, s.m, k)) + of(tma::copy_floats({s.B, s.ldb}, k, s.n));
}

/// What it costs in a panel that threads copy themselves.
template <typename S>
double predicted_fill_cycles(const Sgemm& s) {
  constexpr double kLanes = 32.0, kSchedulers = 4.0;
  const int floats = (tma::is_aligned({s.A, s.lda}) ? 0 : S::kFloatsA) +
                     (tma::is_aligned({s.B, s.ldb}) ? 0 : S::kStageFloats - S::kFloatsA);
  return floats / kLanes * kSlotsPerCopy / kSchedulers;
}

/// How long the launch takes, in cycles.
template <typename S>
double predicted_cycles(const Sgemm& s, const Split& split, Fill fill) {
  constexpr Costs kCosts = Costs::of<S>();
  const bool by_threads = fill == Fill::kByThreads;
  const double panel = kCosts.panel + (by_threads ? predicted_fill_cycles<S>(s) : 0.0);
  const double copies = by_threads ? 0.0 : predicted_copy_cycles(s);
  const int blocks = tile_count<S>(s) * split.parts;
  const int rounds = course::divide_up(blocks, s.multiprocessors);  // of the busiest one
  const int panels = course::divide_up(course::divide_up(s.used_k(), S::kPanel), split.parts);
  double cycles = course::divide_up(rounds, S::kBlocks) * kCosts.start +
                  rounds * (panels * panel + kCosts.epilogue) + copies;
  if (split.parts == 1) return cycles;
  constexpr double kRead = sizeof(float) * S::kTileFloats / kReadBytesPerCycle;
  cycles += rounds * kCosts.piece + kMeetingCycles + split.fan * kRead;
  if (split.fans() > 1) cycles += kMeetingCycles + split.fans() * kRead;
  return cycles;
}

/// The same for the step before this one, where it splits tiles.
template <typename S>
double predicted_share_cycles(const Sgemm& s) {
  constexpr Costs kCosts = Costs::of<S>();
  constexpr double kRead = sizeof(float) * S::kTileFloats / kReadBytesPerCycle;
  const double panels = 1.0 * tile_count<S>(s) * course::divide_up(s.used_k(), S::kPanel);
  return predicted_copy_cycles(s) + 2.0 * (kCosts.start + kCosts.epilogue + kRead) +
         panels / s.multiprocessors * kCosts.panel + kMeetingsOfShares * kMeetingCycles;
}

}  // namespace any_shape
