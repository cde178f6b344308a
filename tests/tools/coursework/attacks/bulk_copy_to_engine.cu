// kind: engine
// run: cudaErrorIllegalAddress
// A bulk copy into the lane's own stack, where the engine's frames lie, too.
#include <cstdint>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void kernel(int n, const float* in, float* out) {
  alignas(16) float local[32];
  __shared__ std::uint64_t arrived;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1u);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   128u);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, local, in, 128u, &arrived);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
  out[threadIdx.x] = local[threadIdx.x % 32];
}
