// The fetching thread goes trip by trip: it flips one parity for both stages. The others flip one
// for each stage whenever it has been filled.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void column_sums(int rows, const float* in, float* sums) {
  __shared__ __align__(128) float stage[2][128];
  __shared__ std::uint64_t full[2], empty[2];
  const int thread = threadIdx.x;
  if (thread == 0) {
    for (int s = 0; s < 2; ++s) {
      ptx::mbarrier_init(&full[s], 1u);
      ptx::mbarrier_init(&empty[s], 4u);
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  const int blocks = gridDim.x;
  if (thread == 128) {
    const auto ask = [&](int row, int s) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     512u);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[s], in + row * 128, 512u,
                         &full[s]);
    };
    unsigned emptied = 0;  // the parity of the next phase of both
    int row = blockIdx.x;
    if (row < rows) ask(row, 0);
    if (row + blocks < rows) ask(row + blocks, 1);
    for (row += 2 * blocks; row < rows; row += 2 * blocks, emptied ^= 1) {
      for (int s = 0; s < 2 && row + s * blocks < rows; ++s) {
        while (!ptx::mbarrier_try_wait_parity(&empty[s], emptied)) {
        }
        ask(row + s * blocks, s);
      }
    }
  } else if (thread < 128) {
    float sum = 0.0f;
    unsigned filled[2] = {};
    int s = 0;
    for (int row = blockIdx.x; row < rows; row += blocks, s ^= 1) {
      while (!ptx::mbarrier_test_wait_parity(&full[s], filled[s])) {
      }
      filled[s] ^= 1;
      sum += stage[s][thread];
      __syncwarp();
      if (thread % 32 == 0) ptx::mbarrier_arrive(&empty[s]);
    }
    sums[blockIdx.x * 128 + thread] = sum;
  }
}
