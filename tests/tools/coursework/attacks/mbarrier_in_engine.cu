// kind: engine
// run: cudaErrorIllegalAddress
// An mbarrier where no shared memory is: it would change eight bytes there.
#include <cstdint>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void kernel(int n, const float* in, float* out) {
  std::uint64_t* const barrier = reinterpret_cast<std::uint64_t*>(&out - 64);
  if (threadIdx.x == 0) ptx::mbarrier_init(barrier, 1u);
  out[threadIdx.x] = 1.0f;
}
