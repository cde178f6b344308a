// Exercise 09.5: the second trip. `./course check 09 --exercise 5` says how far you are.

#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

/// An mbarrier goes through phases 0, 1, 2, ...; a phase is over when all of its arrivals and bytes
/// have come. This waits for the phase of the given parity that is current, or that has just ended.
/// (Before phase 0, a phase of parity 1 counts as ended.)
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

/// Adds up the columns of a matrix. Each block takes every gridDim.x-th row, and writes the sums of
/// its own rows.
///
/// One thread fetches the rows: TMA brings each by a bulk copy into one of two stages. Four warps
/// add up. Two mbarriers for each stage pass it to and fro. `full`: the row has arrived. `empty`:
/// all four warps have read it.
///
/// Blocks with two rows are right. From the third row on, a stage is used again, and something is
/// wrong. Find it, and keep both stages in use. (The check does not see how far ahead the copies
/// run: judge for yourself.)
///
/// On a GPU, the racecheck of compute-sanitizer calls this kernel a race even when it is right: it
/// does not see that an arrival stands for all 32 lanes of a warp.
///
/// @pre  160 threads, a grid of any size
__global__ void column_sums(int rows,
                            const float* in,  // [rows, 128]
                            float* sums) {    // [blocks, 128]
#ifdef COURSE_SOLUTION
#else
  // TODO: who waits for which phase, on the second trip round the stages?
#endif
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
#ifdef COURSE_SOLUTION
      // The row before in this stage was that of the trip before, whose phase has the other parity.
      if (i >= kStages) wait(&empty[s], parity ^ 1);
#else
      if (i >= kStages) wait(&empty[s], parity);
#endif
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
