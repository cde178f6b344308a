#pragma once

#include "06_bulk.cuh"

namespace fused {

using namespace bulk;

/// sum = max(0, sum + bias), in registers: a lane has two columns of every eight.
__device__ inline void add_bias(const Layer& layer, Sums& sum) {
  const int first_col = corner_of_warp().col + threadIdx.x % 4 * 2;
#pragma unroll
  for (int j = 0; j < kWarpN / kMmaN; ++j) {
    const int col = first_col + j * kMmaN;
    if (col >= layer.product.n) continue;
    const float2 bias = *reinterpret_cast<const float2*>(layer.bias + col);
#pragma unroll
    for (int i = 0; i < kWarpM / kMmaM; ++i) {
      sum[i][j][0] = fmaxf(sum[i][j][0] + bias.x, 0.0f);
      sum[i][j][1] = fmaxf(sum[i][j][1] + bias.y, 0.0f);
      sum[i][j][2] = fmaxf(sum[i][j][2] + bias.x, 0.0f);
      sum[i][j][3] = fmaxf(sum[i][j][3] + bias.y, 0.0f);
    }
  }
}

/// C = max(0, A B + bias) in bfloat16: the epilogue adds the bias before anything leaves a
/// register.
/// @expect  global_store_requests = 0
/// @expect  bulk_stores = m * n / (32 * 32)
/// @pre     as bulk::gemm
static __global__ void __launch_bounds__(kThreads)
    gemm(const Layer layer, const __grid_constant__ CUtensorMap C) {  // [m, n]
  __shared__ __align__(1024) unsigned char all_boxes[kWarps][kBoxBytes];
  Sums sum = {};
  multiply(layer.product, sum);
  add_bias(layer, sum);
  store_in_bulk(C, sum, all_boxes[threadIdx.x / kWarpSize]);
}

inline void launch(const Layer& layer, cudaStream_t stream) {
  const Gemm& g = layer.product;
  if (g.m == 0 || g.n == 0) return;
  launch_tiles(gemm, g, stream, layer, describe_boxes(g));
}

}  // namespace fused
