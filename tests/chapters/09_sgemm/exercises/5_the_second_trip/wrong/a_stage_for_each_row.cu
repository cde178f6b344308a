// As many stages as shared memory has room for, so that no stage is used again.
//! many, copies, meetings, warps
//= rows = 200
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void column_sums(int rows, const float* in, float* sums) {
  constexpr int kStages = 90;
  __shared__ __align__(128) float stage[kStages][128];
  __shared__ std::uint64_t full[kStages];
  const int thread = threadIdx.x, blocks = gridDim.x, first = blockIdx.x;
  const int mine = min(kStages, (rows - first + blocks - 1) / blocks);
  if (thread < mine) ptx::mbarrier_init(&full[thread], 1u);
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (thread == 128)
    for (int i = 0; i < mine; ++i) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[i],
                                     512u);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[i],
                         in + (first + i * blocks) * 128, 512u, &full[i]);
    }
  if (thread >= 128) return;
  float sum = 0.0f;
  for (int i = 0; i < mine; ++i) {
    while (!ptx::mbarrier_try_wait_parity(&full[i], 0u)) {
    }
    sum += stage[i][thread];
  }
  sums[first * 128 + thread] = sum;
}
