#pragma once

#include "boxes.cuh"

namespace bulk {

using namespace boxes;

/// Stores a warp's results: through its box, from where TMA fetches them. Nobody waits for C.
__device__ inline void store_in_bulk(const CUtensorMap& C, const Sums& sum, unsigned char* box) {
  const Corner corner = corner_of_warp();
  const bool is_first = threadIdx.x % kWarpSize == 0;
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    if (is_first) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    __syncwarp();  // TMA has read what was there before
    fill(box, round, sum);
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();  // the box is full, and TMA can see it
    if (!is_first) continue;
    const int at[] = {corner.col, corner.row + round * kBoxRows};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &C, at, box);
    ptx::cp_async_bulk_commit_group();
  }
  if (is_first) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});  // the block's memory goes with it
}

/// C = A B in bfloat16: stmatrix brings results into shared memory, and TMA from there to C.
/// @expect  global_store_requests = 0
/// @expect  bulk_stores = m * n / (32 * 32)
/// @pre     kThreads threads, a block for every tile; C described in boxes of 32 rows and columns
static __global__ void __launch_bounds__(kThreads)
    gemm(const Gemm g, const __grid_constant__ CUtensorMap C) {  // [m, n]
  __shared__ __align__(1024) unsigned char all_boxes[kWarps][kBoxBytes];
  Sums sum = {};
  multiply(g, sum);
  store_in_bulk(C, sum, all_boxes[threadIdx.x / kWarpSize]);
}

/// Describes C to TMA, in boxes of a warp's size.
inline CUtensorMap describe_boxes(const Gemm& g) {
  CUtensorMap map;
  const cuuint64_t size[] = {cuuint64_t(g.n), cuuint64_t(g.m)};
  const cuuint64_t stride_bytes[] = {cuuint64_t(g.n) * sizeof(Number)};
  const cuuint32_t box[] = {kWarpN, kBoxRows}, step[] = {1, 1};
  const CUresult result =
      tma::encode_function()(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, g.C, size, stride_bytes,
                             box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_64B,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(result));
  return map;
}

inline void launch(const Layer& layer, cudaStream_t stream) {
  const Gemm& g = layer.product;
  if (g.m == 0 || g.n == 0) return;
  launch_tiles(gemm, g, stream, g, describe_boxes(g));
}

}  // namespace bulk
