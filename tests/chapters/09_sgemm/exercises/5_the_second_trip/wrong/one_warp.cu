// One warp fetches the rows and adds up, four columns a thread.
//! warps
//= shared requests of the busiest warp
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void column_sums(int rows, const float* in, float* sums) {
  __shared__ __align__(128) float stage[128];
  __shared__ std::uint64_t full;
  if (threadIdx.x >= 32) return;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncwarp();
  float sum[4] = {};
  unsigned parity = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, parity ^= 1) {
    __syncwarp();
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                     512u);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage, in + row * 128, 512u, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, parity)) {
    }
    for (int i = 0; i < 4; ++i) sum[i] += stage[threadIdx.x + 32 * i];
  }
  for (int i = 0; i < 4; ++i) sums[blockIdx.x * 128 + threadIdx.x + 32 * i] = sum[i];
}
