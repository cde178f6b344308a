#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/ptx>
#include <functional>
#include <limits>

#include "13_even_shares.cuh"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "pipeline.cuh"
#include "problem.cuh"
#include "tma.cuh"

namespace any_shape {

namespace ptx = cuda::ptx;

using namespace pipeline;

/// A pipeline's shape, and how many blocks of it share a multiprocessor.
template <int kBlocks_, typename Pipeline>
struct Shape : Pipeline {
  static constexpr int kBlocks = kBlocks_;
};

/// Into how many parts k is cut, each of them a block's; the sums of `fan` parts are added up at a
/// time, and then those of all fans.
struct Split {
  int parts = 1;
  int fan = 1;
  __host__ __device__ int fans() const { return (parts + fan - 1) / fan; }
};

/// Where blocks leave their pieces of C.
struct Pieces {
  float* sums;        // [tile, part, element]
  unsigned* arrived;  // [tile, 1 + fan], zero between launches
};

/// Whether this block is the last of `blocks` to come here; then it sees what they all have
/// written.
__device__ inline bool arrives_last(unsigned* arrived, int blocks) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(arrived, 1u) == static_cast<unsigned>(blocks - 1);
    if (is_last) *arrived = 0;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

/// kWidth neighbouring floats, as one access.
template <int kWidth>
struct Floats {
  float values[kWidth];
};

/// Elements e to e + kWidth - 1 of the tile, summed over the slices.
template <typename S, int kWidth>
__device__ inline Floats<kWidth> staged_floats(const float* staged, int e) {
  Floats<kWidth> sum{};
  const float* at = staged + e / S::kTileN * S::kPitchC + e % S::kTileN;
#pragma unroll
  for (int s = 0; s < S::kSlices; ++s, at += S::kSliceFloatsC) {
    if constexpr (kWidth == kVector) {
      const float4 four = load4(at);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) sum.values[i] += part(four, i);
    } else {
      sum.values[0] += *at;
    }
  }
  return sum;
}

/// Pieces of a tile: `count` of them, `step` apart.
struct PieceRun {
  const float* first;
  int count, step;
};

/// The same elements of a run of pieces, added up in their order.
template <typename S, int kWidth>
__device__ inline Floats<kWidth> sum_of_pieces(const PieceRun& run, int e) {
  Floats<kWidth> sum{};
#pragma unroll 4
  for (int i = 0; i < run.count; ++i) {
    const float* at = run.first + 1LL * i * run.step * S::kTileFloats + e;
    if constexpr (kWidth == kVector) {
      const float4 four = __ldcg(reinterpret_cast<const float4*>(at));
#pragma unroll
      for (int j = 0; j < kWidth; ++j) sum.values[j] += part(four, j);
    } else {
      sum.values[0] += __ldcg(at);
    }
  }
  return sum;
}

/// How many accesses of kWidth floats a thread has under way together.
template <typename S, int kWidth>
struct AtOnce {
  static constexpr int kMost = 8;
  static constexpr int largest_divisor(int accesses) {
    for (int count = kMost; count > 1; --count)
      if (accesses % count == 0) return count;
    return 1;
  }
  static constexpr int kAccesses = S::kTileFloats / (kWidth * S::kThreads);
  static constexpr int kCount = kAccesses == 0 ? 1 : largest_divisor(kAccesses);
};

/// Stores the tile at (row0, col0) of C; sum(e) are its elements from e on.
template <typename S, int kWidth, typename Sum>
__device__ inline void store_tile(float* C, int m, int n, int ldc, int row0, int col0, float alpha,
                                  float beta, const Sum& sum) {
  constexpr int kStep = kWidth * S::kThreads, kAtOnce = AtOnce<S, kWidth>::kCount;
#pragma unroll 1
  for (int e0 = threadIdx.x * kWidth; e0 < S::kTileFloats; e0 += kAtOnce * kStep) {
    Floats<kWidth> total[kAtOnce];
#pragma unroll
    for (int r = 0; r < kAtOnce; ++r) total[r] = sum(e0 + r * kStep);
#pragma unroll
    for (int r = 0; r < kAtOnce; ++r) {
      const int e = e0 + r * kStep, row = row0 + e / S::kTileN, col = col0 + e % S::kTileN;
      if constexpr (kWidth == kVector) {
        if (row < m && col + kVector <= n && beta == 0.0f) {
          as_float4(element(C, ldc, row, col)) =
              make_float4(alpha * total[r].values[0], alpha * total[r].values[1],
                          alpha * total[r].values[2], alpha * total[r].values[3]);
          continue;
        }
      }
#pragma unroll
      for (int i = 0; i < kWidth; ++i)
        store(C, m, n, ldc, row, col + i, alpha, total[r].values[i], beta);
    }
  }
}

/// The same, in 16-byte accesses where all rows of C begin on 16 bytes.
template <typename S, typename Sum>
__device__ inline void store_sums(float* C, int m, int n, int ldc, int row0, int col0, float alpha,
                                  float beta, const Sum& sum) {
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(C) % sizeof(float4) == 0 && ldc % kVector == 0;
  if (is_aligned)
    store_tile<S, kVector>(C, m, n, ldc, row0, col0, alpha, beta,
                           [&](int e) { return sum.template at<S, kVector>(e); });
  else
    store_tile<S, 1>(C, m, n, ldc, row0, col0, alpha, beta,
                     [&](int e) { return sum.template at<S, 1>(e); });
}

/// Where a tile's sums come from: the block's own stage, or pieces.
struct Staged {
  const float* stage;
  template <typename S, int kWidth>
  __device__ Floats<kWidth> at(int e) const {
    return staged_floats<S, kWidth>(stage, e);
  }
};
struct InPieces {
  PieceRun run;
  template <typename S, int kWidth>
  __device__ Floats<kWidth> at(int e) const {
    return sum_of_pieces<S, kWidth>(run, e);
  }
};

/// Leaves a tile's sums as a piece.
template <typename S, typename Sum>
__device__ inline void leave_piece(float* piece, const Sum& sum) {
#pragma unroll 4
  for (int e = threadIdx.x * kVector; e < S::kTileFloats; e += kVector * S::kThreads) {
    const Floats<kVector> four = sum.template at<S, kVector>(e);
    __stcg(reinterpret_cast<float4*>(piece + e),
           make_float4(four.values[0], four.values[1], four.values[2], four.values[3]));
  }
}

/// The same for every shape: k is cut into parts where there are few tiles, and thin matrices have
/// thin tiles.
///
/// The pieces of a tile meet in global memory. Whoever arrives last adds them up, always in the
/// same order. Where they are many, the last of each fan adds up its fan, and the last of these the
/// fans' sums: so no block has to read all the pieces alone.
template <typename S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm(int m, int n, int k, float alpha,          //
          const __grid_constant__ CUtensorMap A,     // [m, k]
          const __grid_constant__ CUtensorMap B,     // [k, n]
          float beta,                                //
          float* C, int ldc,                         // [m, n]
          const Split split, const Pieces pieces) {  //
  extern __shared__ __align__(1024) float stages[];  // [stage, A's panel then B's]; later C's tile
  __shared__ Barriers<S> barriers;
  const int thread = threadIdx.x;
  const Place<S> place(thread);

  if (thread == 0) {
    for (int s = 0; s < S::kStages; ++s) {
      ptx::mbarrier_init(&barriers.full[s], 1u);
      ptx::mbarrier_init(&barriers.empty[s], std::uint32_t{S::kWarps});
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();

  const int tile = blockIdx.x / split.parts, part = blockIdx.x % split.parts;
  const int tiles_m = (m + S::kTileM - 1) / S::kTileM;
  const int tiles_n = (n + S::kTileN - 1) / S::kTileN;
  const int group = tile / (kGroupTiles * tiles_n);
  const int group_rows = min(kGroupTiles, tiles_m - group * kGroupTiles);
  const int in_group = tile - group * kGroupTiles * tiles_n;
  const int row0 = (group * kGroupTiles + in_group % group_rows) * S::kTileM;
  const int col0 = in_group / group_rows * S::kTileN;
  const int panels = (k + S::kPanel - 1) / S::kPanel;
  const int first = static_cast<int>(1LL * panels * part / split.parts);
  const int last = static_cast<int>(1LL * panels * (part + 1) / split.parts);

  Ring<S> ring;
  float sum[S::kThreadM][S::kThreadN] = {};
  multiply_panels<S>(sum, last - first, place, stages, barriers, ring,
                     [&](int panel, float* stage, std::uint64_t* full) {
                       request_panel<S>(A, B, row0, col0, (first + panel) * S::kPanel, stage, full);
                     });
  __syncthreads();
  stage_sums<S>(sum, place, stages);
  __syncthreads();

  if (split.parts == 1) return store_sums<S>(C, m, n, ldc, row0, col0, alpha, beta, Staged{stages});

  float* const tile_pieces = pieces.sums + 1LL * tile * split.parts * S::kTileFloats;
  unsigned* const arrived = pieces.arrived + tile * (1 + split.fans());
  leave_piece<S>(tile_pieces + 1LL * part * S::kTileFloats, Staged{stages});
  const int fan = part / split.fan, fan_begin = fan * split.fan;
  float* const fan_pieces = tile_pieces + 1LL * fan_begin * S::kTileFloats;
  PieceRun run = {fan_pieces, min(split.fan, split.parts - fan_begin), 1};
  if (!arrives_last(arrived + 1 + fan, run.count)) return;
  if (split.fans() > 1) {
    leave_piece<S>(fan_pieces, InPieces{run});
    run = {tile_pieces, split.fans(), split.fan};
    if (!arrives_last(arrived, run.count)) return;
  }
  store_sums<S>(C, m, n, ldc, row0, col0, alpha, beta, InPieces{run});
}

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

template <typename S>
int tile_count(const Sgemm& s) {
  return course::divide_up(s.m, S::kTileM) * course::divide_up(s.n, S::kTileN);
}

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

/// How long the launch takes, in cycles.
template <typename S>
double predicted_cycles(const Sgemm& s, const Split& split) {
  constexpr Costs kCosts = Costs::of<S>();
  const int blocks = tile_count<S>(s) * split.parts;
  const int rounds = course::divide_up(blocks, s.multiprocessors);  // of the busiest one
  const int panels = course::divide_up(course::divide_up(s.used_k(), S::kPanel), split.parts);
  double cycles = course::divide_up(rounds, S::kBlocks) * kCosts.start +
                  rounds * (panels * kCosts.panel + kCosts.epilogue);
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
  return 2.0 * (kCosts.start + kCosts.epilogue + kRead) +
         panels / s.multiprocessors * kCosts.panel + kMeetingsOfShares * kMeetingCycles;
}

/// A way to multiply, and how long it is to take.
struct Plan {
  double cycles;
  std::size_t workspace_floats;  // besides copies of A and B
  std::function<void(const Sgemm&, cudaStream_t)> launch;
};

template <typename S>
void launch_shape(const Sgemm& s, const Split& split, cudaStream_t stream);

/// The fastest way to cut k with tiles of this shape, if it is faster than `best`.
template <typename S>
void consider(const Sgemm& s, Plan& best) {
  constexpr int kMostRounds = 2;  // of blocks with parts of tiles
  const int tiles = tile_count<S>(s), slots = s.multiprocessors * S::kBlocks;
  const int most = std::clamp(kMostRounds * slots / tiles, 1,
                              std::max(1, course::divide_up(s.used_k(), S::kPanel)));
  for (int parts = 1; parts <= most; ++parts) {
    const Split split = split_into(parts);
    const double cycles = predicted_cycles<S>(s, split);
    if (cycles >= best.cycles) continue;
    const std::size_t floats =
        parts == 1 ? 0
                   : std::size_t(tiles) * (std::size_t(parts) * S::kTileFloats + 1 + split.fans());
    best = {cycles, floats, [split](const Sgemm& some, cudaStream_t stream) {
              launch_shape<S>(some, split, stream);
            }};
  }
}

template <typename... S>
void consider_all(const Sgemm& s, Plan& best) {
  (consider<S>(s, best), ...);
}

/// The fastest way, by prediction.
inline Plan plan_of(const Sgemm& s) {
  Plan best = {std::numeric_limits<double>::infinity(), 0, {}};
  consider_all<Large, Middle, Square, Sliced, Small, Tiny, Least, Flat64, Flat32, Flat16, FlatShort,
               Thin16, ThinShort>(s, best);
  const auto shares = [&]<typename E>(E) {
    using S = Shape<1, pipeline::Shape<E::kThreadM, E::kThreadN, E::kTileM, E::kTileN, E::kSlices,
                                       E::kPanel, E::kStages>>;
    const double cycles = predicted_share_cycles<S>(s);
    if (cycles < best.cycles)
      best = {cycles, even_shares::workspace_floats(s) - tma::copies_floats(s),
              even_shares::launch};
  };
  even_shares::where_it_pays(s, shares, [] {});
  return best;
}

/// Floats of workspace, zero before the first launch.
inline std::size_t workspace_floats(const Sgemm& s) {
  if (s.m == 0 || s.n == 0) return 0;
  return tma::copies_floats(s) + plan_of(s).workspace_floats;
}

template <typename S>
void launch_shape(const Sgemm& s, const Split& split, cudaStream_t stream) {
  float* workspace = s.workspace;
  CUtensorMap A{}, B{};
  const int k = s.used_k();
  if (k > 0) {
    const auto a = tma::aligned({s.A, s.lda}, s.m, k, workspace, stream);
    const auto b = tma::aligned({s.B, s.ldb}, k, s.n, workspace, stream);
    A = tma::describe(a, s.m, k, S::kTileM, kSpan, CU_TENSOR_MAP_SWIZZLE_128B);
    B = tma::describe(b, k, s.n, S::kPanel, S::kTileN, CU_TENSOR_MAP_SWIZZLE_NONE);
  }
  const int tiles = tile_count<S>(s);
  const std::size_t piece_floats = std::size_t(tiles) * split.parts * S::kTileFloats;
  const Pieces pieces = {workspace, reinterpret_cast<unsigned*>(workspace + piece_floats)};
  course::check(
      cudaFuncSetAttribute(sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  sgemm<S><<<tiles * split.parts, S::kThreads, S::kSharedBytes, stream>>>(
      s.m, s.n, k, s.alpha, A, B, s.beta, s.C, s.ldc, split, pieces);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  plan_of(s).launch(s, stream);
}

}  // namespace any_shape
