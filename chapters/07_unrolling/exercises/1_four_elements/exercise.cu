// Exercise 07.1: four elements per thread. `./course check 07 --exercise 1` says how far you are.

/// C[i] = A[i + offset] + B[i + offset] with four elements per thread: every element for any n, the
/// requests of one element per thread, and eight loads before the first store.
///
/// The grid covers n - offset with 4 x blockDim.x elements per block. A thread's elements are
/// blockDim.x apart.
__global__ void sum_unroll4(int n, int offset,
                            const float* A,  // [n]
                            const float* B,  // [n]
                            float* C) {      // [n - offset]
  constexpr int kUnroll = 4;
  const int threads = blockDim.x;
  const int first = blockIdx.x * kUnroll * threads;  // of the block's elements
  const int i = first + threadIdx.x;
#ifdef COURSE_SOLUTION
  const bool is_whole = first + kUnroll * threads + offset <= n;
#else
  // TODO: do all elements of the block exist?
  const bool is_whole = false;
#endif

  if (is_whole) {
    float a[kUnroll] = {}, b[kUnroll] = {};
#ifdef COURSE_SOLUTION
    for (int u = 0; u < kUnroll; ++u) {
      a[u] = A[i + u * threads + offset];
      b[u] = B[i + u * threads + offset];
    }
#else
    // TODO: load this thread's elements, which are `threads` apart.
#endif

    for (int u = 0; u < kUnroll; ++u) C[i + u * threads] = a[u] + b[u];
  } else {
#ifdef COURSE_SOLUTION
    for (int j = 0; j < kUnroll * threads; j += threads)
      if (i + j + offset < n) C[i + j] = A[i + j + offset] + B[i + j + offset];
#else
    // TODO: those of this thread's elements that exist.
#endif
  }
}
