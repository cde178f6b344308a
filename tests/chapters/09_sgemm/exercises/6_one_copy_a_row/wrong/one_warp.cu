// One warp of four adds up.
//! warps
//= requests of the busiest warp
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void bag_sums(int count, int width, const int* which, const float* table, float* sums) {
  __shared__ __align__(16) float rows[8 * 256];
  __shared__ std::uint64_t arrived;
  const int first = blockIdx.x * 8, in_bag = min(8, count - first);
  if (threadIdx.x >= 32) return;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1u);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   std::uint32_t(in_bag * width * 4));
    for (int r = 0; r < in_bag; ++r)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows + r * width,
                         table + which[first + r] * width, std::uint32_t(width * 4), &arrived);
  }
  __syncwarp();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  for (int col = threadIdx.x; col < width; col += 32) {
    float sum = 0.0f;
    for (int r = 0; r < in_bag; ++r) sum += rows[r * width + col];
    sums[blockIdx.x * width + col] = sum;
  }
}
