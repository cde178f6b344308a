// Four stages, and a place in the ring that carries its parity along.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kStages = 4;

struct Place {
  int stage = 0;
  unsigned parity = 0;
  __device__ void advance() {
    if (++stage < kStages) return;
    stage = 0;
    parity ^= 1;
  }
};

__device__ void wait(std::uint64_t& barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(&barrier, parity)) {
  }
}

__global__ void column_sums(int rows, const float* in, float* sums) {
  __shared__ __align__(16) float stage[kStages][128];
  __shared__ std::uint64_t full[kStages], empty[kStages];
  const unsigned thread = threadIdx.x;
  if (thread < kStages) {
    ptx::mbarrier_init(&full[thread], 1u);
    ptx::mbarrier_init(&empty[thread], 4u);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  Place place;
  if (thread == 159) {
    place.parity = 1;  // all stages are empty
    for (int row = blockIdx.x; row < rows; row += gridDim.x, place.advance()) {
      wait(empty[place.stage], place.parity);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                     &full[place.stage], 512u);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[place.stage], in + row * 128,
                         512u, &full[place.stage]);
    }
  }
  if (thread >= 128) return;
  float sum = 0.0f;
  for (int row = blockIdx.x; row < rows; row += gridDim.x, place.advance()) {
    wait(full[place.stage], place.parity);
    sum += stage[place.stage][thread];
    __syncwarp();
    if (thread % 32 == 31) ptx::mbarrier_arrive(&empty[place.stage]);
  }
  sums[blockIdx.x * 128 + thread] = sum;
}
