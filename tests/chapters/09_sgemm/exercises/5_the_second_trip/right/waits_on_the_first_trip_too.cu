// No exception for the first trip: the phase before the first counts as over.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__global__ void column_sums(int rows,
                            const float* in,  // [rows, 128]
                            float* sums) {    // [blocks, 128]
  constexpr int kColumns = 128, kWarps = kColumns / 32, kStages = 2;
  constexpr std::uint32_t kRowBytes = kColumns * sizeof(float);
  __shared__ __align__(128) float stage[kStages][kColumns];
  __shared__ std::uint64_t full[kStages], empty[kStages];
  const int thread = threadIdx.x;

  if (thread == 0) {
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1u);
      ptx::mbarrier_init(&empty[s], std::uint32_t{kWarps});
    }
    ptx::fence_proxy_async(ptx::space_shared);  // TMA sees the barriers, too
  }
  __syncthreads();

  const int mine = (rows - int(blockIdx.x) + int(gridDim.x) - 1) / int(gridDim.x);  // rows
  if (thread == kColumns) {
    for (int i = 0; i < mine; ++i) {
      const int s = i % kStages;
      const unsigned parity = i / kStages % 2;
      wait(&empty[s], parity ^ 1);  // over at once on the first trip
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     kRowBytes);
      const float* row = in + (blockIdx.x + i * gridDim.x) * kColumns;
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[s], row, kRowBytes, &full[s]);
    }
  } else if (thread < kColumns) {
    float sum = 0.0f;
    for (int i = 0; i < mine; ++i) {
      const int s = i % kStages;
      const unsigned parity = i / kStages % 2;
      wait(&full[s], parity);
      sum += stage[s][thread];
      __syncwarp();
      if (thread % 32 == 0) ptx::mbarrier_arrive(&empty[s]);
    }
    sums[blockIdx.x * kColumns + thread] = sum;
  }
}
