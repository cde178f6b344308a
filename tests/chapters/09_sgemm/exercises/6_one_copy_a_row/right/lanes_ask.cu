// The first lanes of warp 0 read the numbers together, and ask for a row each.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void bag_sums(int count, int width, const int* which, const float* table, float* sums) {
  __shared__ __align__(16) float rows[8 * 256];
  __shared__ std::uint64_t arrived;
  const int first = blockIdx.x * 8, in_bag = min(8, count - first), lane = threadIdx.x;
  if (lane < 32) {
    if (lane == 0) {
      ptx::mbarrier_init(&arrived, 1u);
      ptx::fence_proxy_async(ptx::space_shared);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                     std::uint32_t(in_bag * width * 4));
    }
    __syncwarp();
    if (lane < in_bag)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows + lane * width,
                         table + which[first + lane] * width, std::uint32_t(width * 4), &arrived);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  for (int col = threadIdx.x; col < width; col += 128) {
    float sum = 0.0f;
    for (int r = 0; r < in_bag; ++r) sum += rows[r * width + col];
    sums[blockIdx.x * width + col] = sum;
  }
}
