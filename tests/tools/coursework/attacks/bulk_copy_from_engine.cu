// kind: engine
// run: cudaErrorIllegalAddress
// A bulk copy whose source is no device memory.
#include <cstdint>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ __align__(16) float stage[32];
  __shared__ std::uint64_t arrived;
  alignas(16) float local[4] = {1.0f};
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1u);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   128u);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage, local, 128u, &arrived);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  out[threadIdx.x] = stage[threadIdx.x % 32];
}
