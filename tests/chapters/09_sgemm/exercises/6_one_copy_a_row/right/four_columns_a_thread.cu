// A thread adds up four neighbouring columns, if there are so many.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void bag_sums(int count, int width, const int* which, const float* table, float* sums) {
  __shared__ float4 rows[8][64];
  __shared__ std::uint64_t arrived;
  const int first = blockIdx.x * 8, in_bag = min(8, count - first);
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1u);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 64) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   std::uint32_t(in_bag * width * 4));
    for (int r = 0; r < in_bag; ++r)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, &rows[r][0],
                         table + which[first + r] * width, std::uint32_t(width * 4), &arrived);
  }
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  const int quad = threadIdx.x;
  if (quad >= width / 4) return;
  float4 sum = rows[0][quad];
  for (int r = 1; r < in_bag; ++r) {
    const float4 more = rows[r][quad];
    sum.x += more.x;
    sum.y += more.y;
    sum.z += more.z;
    sum.w += more.w;
  }
  reinterpret_cast<float4*>(sums + blockIdx.x * width)[quad] = sum;
}
