// Exercise 00.4: how many blocks? `./course check 00 --exercise 4` says how far you are.

/// How many blocks of `threads` threads does a launch need, so that each of n elements has a thread
/// and no block is without work? For every n from 0 to 2147483647.
__device__ int blocks_for(int n, int threads) {
#ifdef COURSE_SOLUTION
  return n / threads + (n % threads != 0);
#else
  // TODO: this rounds down.
  return n / threads;
#endif
}

/// How many threads of the last block have nothing to do? 0 if there is no block.
__device__ int idle_threads(int n, int threads) {
#ifdef COURSE_SOLUTION
  const int rest = n % threads;
  return rest == 0 ? 0 : threads - rest;
#else
  // TODO: think of the last block when it is full, too.
  return threads - n;
#endif
}

/// Tells the check what you found. Given: nothing to do here.
__global__ void report(int n, int threads, int* blocks, int* idle) {
  *blocks = blocks_for(n, threads);
  *idle = idle_threads(n, threads);
}
