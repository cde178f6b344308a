#pragma once

#include "boxes.cuh"

namespace matrices {

using namespace boxes;

/// C = A B in bfloat16: stmatrix brings results into shared memory, 16-byte stores from there to C.
/// @expect  global_store_requests = m * n / (8 * 32)
/// @expect  global_store_sectors = 16 * m * n / (8 * 32)
/// @pre     kThreads threads, a block for every tile
static __global__ void __launch_bounds__(kThreads) gemm(const Gemm g) {
  __shared__ __align__(1024) unsigned char all_boxes[kWarps][kBoxBytes];
  Sums sum = {};
  multiply(g, sum);

  const Corner corner = corner_of_warp();
  const int lane = threadIdx.x % kWarpSize;
  unsigned char* const box = all_boxes[threadIdx.x / kWarpSize];
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    fill(box, round, sum);
    __syncwarp();  // the box is full
#pragma unroll
    for (int i = lane; i < kBoxRows * kRowChunks; i += kWarpSize) {
      const int row = i / kRowChunks, chunk = i % kRowChunks;
      const int row_of_c = corner.row + round * kBoxRows + row;
      const int col_of_c = corner.col + chunk * kChunk;
      if (row_of_c >= g.m || col_of_c >= g.n) continue;
      *reinterpret_cast<uint4*>(&element(g.C, g.n, row_of_c, col_of_c)) =
          *reinterpret_cast<const uint4*>(box + row * kRowBytes + swizzled(row, chunk) * 16);
    }
    __syncwarp();  // and has been read
  }
}

inline void launch(const Layer& layer, cudaStream_t stream) {
  launch_tiles(gemm, layer.product, stream, layer.product);
}

}  // namespace matrices
