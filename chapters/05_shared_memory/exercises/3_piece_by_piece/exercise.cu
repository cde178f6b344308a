// Exercise 05.3: piece by piece. `./course check 05 --exercise 3` says how far you are.

constexpr int kPiece = 128;

/// For each x, counts how many numbers of a list are smaller.
///
/// A block goes through the list in pieces. It fetches a piece into shared memory, all threads
/// together, and each thread compares its x with the whole piece.
///
/// If the list is one piece long, all counts are right. If it is longer, some are wrong, and on a
/// GPU not the same ones every day. Find out why.
///
/// @pre  the grid covers n; blocks are one-dimensional and have kPiece threads
__global__ void count_smaller(int n, int m,
                              const float* x,     // [n]
                              const float* list,  // [m]
                              int* counts) {      // [n]
  __shared__ float piece[kPiece];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  const float mine = i < n ? x[i] : 0.0f;  // threads without an x still help to fetch

  int smaller = 0;
#ifdef COURSE_SOLUTION
#else
  // TODO: what is wrong with this loop?
#endif
  for (int begin = 0; begin < m; begin += kPiece) {
    const int size = min(kPiece, m - begin);
    if (thread < size) piece[thread] = list[begin + thread];
    __syncthreads();
    for (int k = 0; k < size; ++k) smaller += piece[k] < mine;
#ifdef COURSE_SOLUTION
    __syncthreads();
#endif
  }
  if (i < n) counts[i] = smaller;
}
