// Every row has an mbarrier of its own.
//! mbarrier
//= operations at mbarriers for each bag
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void bag_sums(int count, int width, const int* which, const float* table, float* sums) {
  __shared__ __align__(16) float rows[8][256];
  __shared__ std::uint64_t arrived[8];
  const int first = blockIdx.x * 8, in_bag = min(8, count - first), thread = threadIdx.x;
  if (thread < in_bag) {
    ptx::mbarrier_init(&arrived[thread], 1u);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &arrived[thread], std::uint32_t(width * 4));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows[thread],
                       table + which[first + thread] * width, std::uint32_t(width * 4),
                       &arrived[thread]);
  }
  __syncthreads();
  for (int r = 0; r < in_bag; ++r)
    while (!ptx::mbarrier_try_wait_parity(&arrived[r], 0)) {
    }
  for (int col = thread; col < width; col += 128) {
    float sum = 0.0f;
    for (int r = 0; r < in_bag; ++r) sum += rows[r][col];
    sums[blockIdx.x * width + col] = sum;
  }
}
