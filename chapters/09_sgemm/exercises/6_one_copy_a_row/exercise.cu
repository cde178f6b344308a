// Exercise 09.6: one copy a row. `./course check 09 --exercise 6` says how far you are.

#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

/// Adds up rows of a table, eight at a time: an embedding bag, as in language models and
/// recommenders. which[8 b] to which[8 b + 7] name the rows whose sum block b writes. The last
/// block may have fewer.
///
/// The sums are right. But all threads load the rows, element by element, only to put them into
/// shared memory. TMA can do that: ask for each row by one bulk copy, and let all of them arrive at
/// one mbarrier, which is told once how many bytes to expect.
///
/// @pre  128 threads, a block for each bag; width is a multiple of 4 and at most 256; table begins
///       at a multiple of 16 bytes
__global__ void bag_sums(int count, int width,
                         const int* which,    // [count]
                         const float* table,  // [some rows, width]
                         float* sums) {       // [bags, width]
  constexpr int kBag = 8, kMostWidth = 256;
  __shared__ __align__(128) float rows[kBag][kMostWidth];
  const int first = blockIdx.x * kBag, in_bag = min(kBag, count - first);

#ifdef COURSE_SOLUTION
  __shared__ std::uint64_t arrived;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1u);
    ptx::fence_proxy_async(ptx::space_shared);  // TMA sees the barrier, too
    const std::uint32_t row_bytes = width * sizeof(float);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
                                   in_bag * row_bytes);
    for (int r = 0; r < in_bag; ++r)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, rows[r],
                         table + which[first + r] * width, row_bytes, &arrived);
  }
  __syncthreads();  // the mbarrier is there for everybody
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
  }
#else
  // TODO: let one thread make an mbarrier (ptx::mbarrier_init, then ptx::fence_proxy_async, so that
  // TMA sees it), announce all bytes (ptx::mbarrier_arrive_expect_tx), and ask for the rows
  // (ptx::cp_async_bulk). Then everybody waits (ptx::mbarrier_try_wait_parity). Where must the
  // block meet, so that nobody waits at a barrier that is not there yet? Exercise 5 has all of
  // these.
  for (int r = 0; r < in_bag; ++r)
    for (int col = threadIdx.x; col < width; col += blockDim.x)
      rows[r][col] = table[which[first + r] * width + col];
  __syncthreads();
#endif

  for (int col = threadIdx.x; col < width; col += blockDim.x) {
    float sum = 0.0f;
    for (int r = 0; r < in_bag; ++r) sum += rows[r][col];
    sums[blockIdx.x * width + col] = sum;
  }
}
