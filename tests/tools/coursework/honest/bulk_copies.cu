// Rows of 128 floats come by bulk copy, into two stages by turns; mbarriers pass the stages on.
#include <cstdint>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ __align__(128) float stage[2][128];
  __shared__ std::uint64_t full[2], empty[2];
  const int t = threadIdx.x, rows = n / 128;
  if (t == 0) {
    for (int s = 0; s < 2; ++s) {
      ptx::mbarrier_init(&full[s], 1u);
      ptx::mbarrier_init(&empty[s], 4u);
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) {
    const int s = row % 2;
    const unsigned parity = row / 2 % 2;
    if (t == 0) {
      wait(&empty[s], parity ^ 1);
      ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full[s], 512u);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[s], in + row * 128, 512u,
                         &full[s]);
      ptx::mbarrier_arrive(&full[s]);
    }
    wait(&full[s], parity);
    sum += stage[s][127 - t];
    __syncwarp();
    if (t % 32 == 0) ptx::mbarrier_arrive(&empty[s]);
  }
  if (blockIdx.x == 0) out[t] = sum;
}
