#pragma once

/// @file
/// Adding up: where the sums of a tile come from (the block's own shared memory, or pieces that
/// several blocks have left in global memory), and how they get into C.
///
/// The idea: whoever arrives last adds up, always in the order of the parts. Nobody waits, and the
/// bits do not depend on who was last.

#include <cuda_runtime.h>

#include <cstdint>

#include "16_even_shares.cuh"
#include "problem.cuh"

namespace any_shape {

using namespace pipeline;
using even_shares::arrives_last;

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

/// kWidth neighbouring floats, as one access.
template <int kWidth>
struct alignas(kWidth * sizeof(float)) Floats {
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

}  // namespace any_shape
