// Bytes are announced before the copies, the arrival comes behind them, and one thread waits for
// all others, which learn of it at a barrier of the block.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void bag_sums(int count, int width, const int* which, const float* table, float* sums) {
  __shared__ __align__(128) float rows[8][256];
  __shared__ std::uint64_t arrived;
  const int first = blockIdx.x * 8, in_bag = min(8, count - first);
  if (threadIdx.x == 127) {
    ptx::mbarrier_init(&arrived, 1u);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &arrived,
                            std::uint32_t(in_bag * width * 4));
    for (int r = in_bag - 1; r >= 0; --r)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows[r],
                         table + which[first + r] * width, std::uint32_t(width * 4), &arrived);
    const std::uint64_t phase = ptx::mbarrier_arrive(&arrived);
    while (!ptx::mbarrier_try_wait(&arrived, phase)) {
    }
  }
  __syncthreads();
  for (int col = threadIdx.x; col < width; col += 128) {
    float sum = 0.0f;
    for (int r = in_bag - 1; r >= 0; --r) sum += rows[r][col];
    sums[blockIdx.x * width + col] = sum;
  }
}
