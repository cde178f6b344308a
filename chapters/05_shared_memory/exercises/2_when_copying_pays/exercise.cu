// Exercise 05.2: when does copying save requests? `./course check 05 --exercise 2` says how far you
// are.

constexpr int kTable = 1024;

/// Each thread adds up `rounds` neighbouring entries of a table in global memory.
///
/// Given: leave it as it is. The check launches it, and counts.
__global__ void look_up(int n, int rounds, const int* table, const int* first, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  int sum = 0;
  for (int round = 0; round < rounds; ++round) sum += table[(start + round) % kTable];
  out[i] = sum;
}

/// The same, after the block has copied the table into shared memory. Given, too.
__global__ void look_up_copied(int n, int rounds, const int* table, const int* first, int* out) {
  __shared__ int copy[kTable];
  for (int entry = threadIdx.x; entry < kTable; entry += blockDim.x) copy[entry] = table[entry];
  __syncthreads();

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  int sum = 0;
  for (int round = 0; round < rounds; ++round) sum += copy[(start + round) % kTable];
  out[i] = sum;
}

/// How many load requests to global memory does a launch of one block make? Work it out before you
/// check.
///
///     requests[0]   look_up, 256 threads, n = 256, 10 rounds
///     requests[1]   look_up_copied, 256 threads, n = 256, 10 rounds
///     requests[2]   look_up_copied, 256 threads, n = 100, 10 rounds
///
/// And what is the smallest number of rounds for which look_up_copied makes no more of them than
/// look_up? (Requests are not time, as the lesson shows. This is about counting.)
///
///     requests[3]   256 threads, n = 256
///     requests[4]   1024 threads, n = 1024
__global__ void answers(int* requests) {  // [5]
#ifdef COURSE_SOLUTION
  requests[0] = 88;
  requests[1] = 40;
  requests[2] = 36;
  requests[3] = 4;
  requests[4] = 1;
#else
  requests[0] = 0;  // TODO: your answer
  requests[1] = 0;
  requests[2] = 0;
  requests[3] = 0;
  requests[4] = 0;
#endif
}
