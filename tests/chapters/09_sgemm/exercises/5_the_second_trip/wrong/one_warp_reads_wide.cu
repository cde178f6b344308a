// One warp adds up, with a float4 a lane.
//! warps
//= shared requests of the busiest warp, for all of its share
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void column_sums(int rows, const float* in, float* sums) {
  __shared__ __align__(128) float4 stage[2][32];
  __shared__ std::uint64_t full[2], empty[2];
  const int thread = threadIdx.x, blocks = gridDim.x;
  if (thread < 2) {
    ptx::mbarrier_init(&full[thread], 1u);
    ptx::mbarrier_init(&empty[thread], 1u);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  unsigned trip = 0;
  int s = 0;
  const auto next = [&] { s = 1 - s, trip ^= s == 0; };
  if (thread == 128)
    for (int row = blockIdx.x; row < rows; row += blocks, next()) {
      while (!ptx::mbarrier_try_wait_parity(&empty[s], trip ^ 1)) {
      }
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     512u);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[s], in + row * 128, 512u,
                         &full[s]);
    }
  if (thread >= 32) return;
  float4 sum = {};
  for (int row = blockIdx.x; row < rows; row += blocks, next()) {
    while (!ptx::mbarrier_try_wait_parity(&full[s], trip)) {
    }
    const float4 four = stage[s][thread];
    sum = make_float4(sum.x + four.x, sum.y + four.y, sum.z + four.z, sum.w + four.w);
    __syncwarp();
    if (thread == 0) ptx::mbarrier_arrive(&empty[s]);
  }
  reinterpret_cast<float4*>(sums)[blockIdx.x * 32 + thread] = sum;
}
