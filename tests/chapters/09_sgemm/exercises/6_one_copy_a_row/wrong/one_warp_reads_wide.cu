// One warp of four adds up, with a float4 a lane.
//! warps
//= requests of the busiest warp, for all of its share
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
    for (int r = 0; r < in_bag; ++r)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows[r],
                         table + which[first + r] * width, std::uint32_t(width * 4), &arrived);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  for (int quad = threadIdx.x; quad < width / 4 && threadIdx.x < 32; quad += 32) {
    float4 sum = {};
    for (int r = 0; r < in_bag; ++r) {
      const float4 four = reinterpret_cast<const float4*>(rows[r])[quad];
      sum = make_float4(sum.x + four.x, sum.y + four.y, sum.z + four.z, sum.w + four.w);
    }
    reinterpret_cast<float4*>(sums + blockIdx.x * width)[quad] = sum;
  }
}
