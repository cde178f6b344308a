#pragma once

/// @file
/// A product of which nobody knows before the launch whether it is needed: a kernel before it in
/// the stream says so, in a word of memory. Chapter 11 falls back on it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "steps/16_even_shares.cuh"

namespace on_demand {

using namespace pipeline;
using even_shares::Schedule, even_shares::Pieces, even_shares::kMostSplitTiles;
using slices::Large, slices::Medium;

// In the workspace, the word stands behind all counters of steps 16 and 17, so that it is none of
// theirs where they take turns with the same workspace.
constexpr int kWordAt = kMostSplitTiles + 2 * even_shares::kMostBlocks;
constexpr int kBehindWord = kWordAt + tma::kAlignedFloats;

/// A word in device memory, and what it has to be.
struct Demand {
  const int* word;
  int wanted;

  __device__ bool holds() const { return *word == wanted; }
};

/// Copies a matrix into rows that begin where TMA wants them, on demand: four floats a thread.
/// @pre     a one-dimensional grid; `to` lies on 16 bytes, and to_ld is a multiple of 4
static __global__ void align_rows(const Demand demand, int rows, int cols,
                                  const float* __restrict__ from, int ld,  // [rows, cols]
                                  float* __restrict__ to, int to_ld) {     // [rows, cols]
  if (!demand.holds()) return;  // nobody will read the copy
  const long long row_vectors = to_ld / kVector, vectors = rows * row_vectors;
  const long long step = 1LL * gridDim.x * blockDim.x;
  for (long long v = 1LL * blockIdx.x * blockDim.x + threadIdx.x; v < vectors; v += step) {
    const int row = static_cast<int>(v / row_vectors);
    const int col = static_cast<int>(v % row_vectors) * kVector;
    float part[kVector];
#pragma unroll
    for (int i = 0; i < kVector; ++i) part[i] = Tested::load(from, rows, cols, ld, row, col + i);
    as_float4(element(to, to_ld, row, col)) = make_float4(part[0], part[1], part[2], part[3]);
  }
}

/// even_shares::sgemm, on demand.
/// @expect  bulk_copies = (kPanel / 32 + 1) * m * n * k / (kTileM * kTileN * kPanel)
/// @expect  bulk_bytes = 4 * (m * k * n / kTileN + k * n * m / kTileM)
/// @pre     as even_shares::sgemm
template <typename S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm(const Demand demand, int m, int n, float alpha,  //
          const __grid_constant__ CUtensorMap A,           // [m, k]
          const __grid_constant__ CUtensorMap B,           // [k, n]
          float beta,                                      //
          float* C, int ldc,                               // [m, n]
          const Schedule schedule, const Pieces pieces) {
  if (!demand.holds()) return;
  even_shares::compute_share<S>(
      m, n, alpha,
      [&](const Corner& tile, int panel, float* stage, std::uint64_t* full) {
        request_panel<S>(A, B, tile.row, tile.col, panel * S::kPanel, stage, full);
      },
      beta, C, ldc, schedule, pieces);
}

/// Calls use(shape) with the larger tile, if there are enough of it for most multiprocessors.
template <typename Use>
auto with_shape(const Sgemm& s, Use use) {
  if (tile_count<Large>(s) >= s.multiprocessors * 3 / 4) return use(Large{});
  return use(Medium{});
}

/// Even shares where they pay, else whole tiles in turn; and how many blocks.
template <typename S>
std::pair<Schedule, int> schedule_of(const Sgemm& s) {
  if (even_shares::splitting_pays<S>(s)) return even_shares::schedule_of<S>(s);
  return {even_shares::cut_into_tiles<S>(s), std::min(s.multiprocessors, tile_count<S>(s))};
}

/// Floats of workspace, zero before the first launch.
inline std::size_t workspace_floats(const Sgemm& s) {
  return with_shape(s, [&]<typename S>(S) {
    return kBehindWord + tma::copies_floats(s) +
           std::size_t(2) * even_shares::schedule_of<S>(s).second * S::kTileFloats;
  });
}

inline int* word_of(const Sgemm& s) { return reinterpret_cast<int*>(s.workspace) + kWordAt; }

/// M, [rows, cols], or a copy of it that TMA can read, in `copies`, which then moves on behind it.
inline tma::Rows aligned(const tma::Rows& M, int rows, int cols, const Demand& demand,
                         float*& copies, cudaStream_t stream) {
  constexpr int kThreads = 256;
  constexpr std::size_t kMostBlocks = 1024, kBlockFloats = kThreads * kVector;
  const std::size_t floats = tma::copy_floats(M, rows, cols);
  if (floats == 0) return M;
  const tma::Rows copy = {copies, tma::aligned_ld(cols)};
  copies += floats;
  const unsigned blocks = std::min((floats - 1) / kBlockFloats + 1, kMostBlocks);
  align_rows<<<blocks, kThreads, 0, stream>>>(demand, rows, cols, M.data, M.ld,
                                              const_cast<float*>(copy.data), copy.ld);
  course::check_launch();
  return copy;
}

template <typename S>
void launch_shape(const Sgemm& s, const Demand& demand, cudaStream_t stream) {
  float* behind = s.workspace + kBehindWord;
  const int k = s.used_k();
  Operands of;
  if (k != 0) {
    const tma::Rows a = aligned({s.A, s.lda}, s.m, k, demand, behind, stream);
    const tma::Rows b = aligned({s.B, s.ldb}, k, s.n, demand, behind, stream);
    of = {tma::describe(a, s.m, k, S::kTileM, kSpan, CU_TENSOR_MAP_SWIZZLE_128B),
          tma::describe(b, k, s.n, S::kPanel, S::kTileN, CU_TENSOR_MAP_SWIZZLE_NONE)};
  }
  const auto [schedule, blocks] = schedule_of<S>(s);
  const Pieces pieces = {reinterpret_cast<unsigned*>(s.workspace), behind};
  course::check(
      cudaFuncSetAttribute(sgemm<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  sgemm<S><<<blocks, S::kThreads, S::kSharedBytes, stream>>>(demand, s.m, s.n, s.alpha, of.A, of.B,
                                                             s.beta, s.C, s.ldc, schedule, pieces);
  course::check_launch();
}

/// Multiplies if the word then is `wanted`.
inline void launch_if(const Sgemm& s, int wanted, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  with_shape(s, [&]<typename S>(S) { launch_shape<S>(s, {word_of(s), wanted}, stream); });
}

/// Multiplies if the word is as it is before the first launch.
inline void launch(const Sgemm& s, cudaStream_t stream) { launch_if(s, 0, stream); }

}  // namespace on_demand
