// Copies of 32 bytes, or of 16 where a row begins or ends inside a sector.
//! one copy, mbarrier
//= bulk copies
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void bag_sums(int count, int width, const int* which, const float* table, float* sums) {
  __shared__ __align__(128) float rows[8][256];
  __shared__ std::uint64_t arrived;
  const int first = blockIdx.x * 8, in_bag = min(8, count - first);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1u);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   std::uint32_t(in_bag * width * 4));
    for (int r = 0; r < in_bag; ++r) {
      const int begin = which[first + r] * width, end = begin + width;
      for (int at = begin, next; at < end; at = next) {
        next = min(end, at / 8 * 8 + 8);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows[r] + at - begin, table + at,
                           std::uint32_t((next - at) * 4), &arrived);
      }
    }
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  for (int col = threadIdx.x; col < width; col += 128) {
    float sum = 0.0f;
    for (int r = 0; r < in_bag; ++r) sum += rows[r][col];
    sums[blockIdx.x * width + col] = sum;
  }
}
