#pragma once

#include "17_resident_blocks.cuh"

namespace bulk_store {

using namespace bf16;

/// A tile's place for results beside its stages: boxes of 64 rows and 64 columns, up to two for
/// each warpgroup at a time.
template <int kTileN, int kStages>
struct StoredTile : TileShape<kTileN, kStages> {
  using Base = TileShape<kTileN, kStages>;
  static constexpr int kResultBoxes = kTileN / kBoxCols % 2 == 0 ? 2 : 1;
  static constexpr int kResultBoxBytes = kGroupRows * kBoxRowBytes;
  static constexpr int kResultBytes = kResultBoxes * kResultBoxBytes;  // of a warpgroup
  static constexpr int kSharedBytes = Base::kSharedBytes + 2 * kResultBytes;
};

using Stored = StoredTile<256, 4>;

/// Has the threads of a warpgroup wait for each other, and for nobody else.
__device__ inline void wait_for_group(int group) {
  asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(kGroupThreads) : "memory");
}

/// Stores a warpgroup's sums of the tile at a corner of C: through shared memory, from where TMA
/// fetches whole boxes. Meanwhile the warpgroup goes on.
template <typename S>
__device__ inline void store_boxes(const CUtensorMap& C, const Corner& tile, int group,
                                   const float (&sum)[S::kSums], unsigned char* results) {
  constexpr int kCols = 8, kWarpRows = 16;  // of a small matrix; of a warp
  constexpr int kMatrixSums = 4;            // that a lane has of 16 rows of it
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize % 4;
  const bool is_first = threadIdx.x % kGroupThreads == 0;
  const int row = warp * kWarpRows + lane % kWarpRows;
#pragma unroll
  for (int first = 0; first < S::kBoxes; first += S::kResultBoxes) {
    // TMA has read the boxes before.
    if (is_first) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    wait_for_group(group);
#pragma unroll
    for (int i = 0; i < S::kResultBoxes * kBoxCols / kCols; i += 2) {
      const float* const from = sum + (first * kBoxCols / kCols + i) * kMatrixSums;
      const std::uint32_t words[] = {rounded(from[0], from[1]), rounded(from[2], from[3]),
                                     rounded(from[4], from[5]), rounded(from[6], from[7])};
      const int chunk = i + lane / kWarpRows, box = chunk / 8;
      const int swizzled = chunk % 8 ^ row % 8;
      store_matrices(results + box * S::kResultBoxBytes + row * kBoxRowBytes + swizzled * 16,
                     words);
    }
    ptx::fence_proxy_async(ptx::space_shared);
    wait_for_group(group);
    if (!is_first) continue;
#pragma unroll
    for (int box = 0; box < S::kResultBoxes; ++box) {
      const int at[] = {tile.col + (first + box) * kBoxCols, tile.row + group * kGroupRows};
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &C, at,
                                results + box * S::kResultBoxBytes);
    }
    ptx::cp_async_bulk_commit_group();
  }
}

/// Waits until TMA has stored everything; a block that ends takes its shared memory with it.
__device__ inline void wait_for_stores() {
  if (threadIdx.x % kGroupThreads == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

/// The same; TMA stores the results, in rows of 128 bytes.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  global_store_requests = 0
/// @expect  bulk_stores = m * n / (64 * 64)
/// @expect  shared_store_wavefronts = m * n / 64
/// @pre     as resident_blocks::gemm; C described in boxes of 64 rows and columns
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    gemm(const Gemm g,
         const __grid_constant__ CUtensorMap A,    // [m, k]
         const __grid_constant__ CUtensorMap B,    // [k, n]
         const __grid_constant__ CUtensorMap C) {  // [m, n]
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  if (threadIdx.x >= S::kMultipliers) {
    resident_blocks::request_tiles<S>(g, A, B, stages, barriers);
    return;
  }
  const int group = ring::own_group();
  unsigned char* const results = stages + S::Base::kSharedBytes + group * S::kResultBytes;
  resident_blocks::multiply_tiles<S>(g, stages, barriers,
                                     [&](const Corner& tile, const float(&sum)[S::kSums]) {
                                       store_boxes<S>(C, tile, group, sum, results);
                                     });
  wait_for_stores();
}

/// Launches a block for each multiprocessor that gets a tile.
template <typename S>
void launch_blocks(const Gemm& g, cudaStream_t stream) {
  launch_kernel<S>(gemm<S>, std::min(g.multiprocessors, tile_count<S>(g)), S::kThreads,
                   S::kSharedBytes, g, stream, describe(g.C, g.m, g.n, kGroupRows));
}

inline void launch(const Gemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  launch_blocks<Stored>(g, stream);
}

}  // namespace bulk_store
