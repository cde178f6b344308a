// One thread does everything, by bulk copies: the copy engine is no warp.
//= requests of the busiest warp
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void scale_wide(int n, int first, float factor, float* data) {
  __shared__ __align__(128) float piece[128];
  __shared__ std::uint64_t arrived;
  if (blockIdx.x + threadIdx.x > 0 || first >= n) return;
  ptx::mbarrier_init(&arrived, 1u);
  ptx::fence_proxy_async(ptx::space_shared);
  const int whole = n / 4 * 4;
  for (int begin = first / 32 * 32, trip = 0; begin < whole; begin += 128, ++trip) {
    const int size = min(128, whole - begin);
    const unsigned bytes = size * sizeof(float);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, piece, data + begin, bytes, &arrived);
    while (!ptx::mbarrier_try_wait_parity(&arrived, trip % 2)) {
    }
    for (int k = max(first - begin, 0); k < size; ++k) piece[k] *= factor;
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + begin, piece, bytes);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
  for (int k = max(whole, first); k < n; ++k) data[k] *= factor;
}
