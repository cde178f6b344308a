// One stage, and the block meets after each row, so that no phase can be missed.
//! meetings
//= barriers of warps and operations
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void column_sums(int rows, const float* in, float* sums) {
  __shared__ __align__(128) float stage[128];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  float sum = 0.0f;
  unsigned parity = 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, parity ^= 1) {
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                     512u);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage, in + row * 128, 512u, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, parity)) {
    }
    if (threadIdx.x < 128) sum += stage[threadIdx.x];
  }
  if (threadIdx.x < 128) sums[blockIdx.x * 128 + threadIdx.x] = sum;
}
