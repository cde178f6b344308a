// Exercise 07.3: the last pair. `./course check 07 --exercise 3` says how far you are.

#include <cuda_pipeline.h>

/// C = A + B, with copies that run ahead: while a thread adds a pair, its next pair is on its way
/// from global to shared memory. Each thread has two places in `a` and in `b`, which it uses by
/// turns, and looks at no other thread's.
///
/// All of C is right but its end. The last sum of each thread is that of some earlier pair, or of
/// no pair at all. Find out why, and mend it so that the copies still run ahead. (The check sees
/// when you ask for a pair, and when you wait for it. Does the next pair stay on its way while a
/// thread waits for this one?)
///
/// @pre  blocks of 64 threads, a grid of any size
__global__ void sum_ahead(int n,
                          const float* A,  // [n]
                          const float* B,  // [n]
                          float* C) {      // [n]
#ifdef COURSE_SOLUTION
#else
  // TODO: something in the loop is not right.
#endif
  constexpr int kThreads = 64;
  __shared__ float a[2][kThreads], b[2][kThreads];
  const int t = threadIdx.x, stride = gridDim.x * blockDim.x;
  int place = 0;

  const int first = blockIdx.x * blockDim.x + t;
  if (first < n) {
    __pipeline_memcpy_async(&a[place][t], &A[first], sizeof(float));
    __pipeline_memcpy_async(&b[place][t], &B[first], sizeof(float));
  }
  __pipeline_commit();  // the copies so far are a batch

  for (int i = first; i < n; i += stride) {
    const int next = i + stride;
    if (next < n) {
      __pipeline_memcpy_async(&a[1 - place][t], &A[next], sizeof(float));
      __pipeline_memcpy_async(&b[1 - place][t], &B[next], sizeof(float));
#ifdef COURSE_SOLUTION
    }
    __pipeline_commit();  // another batch: an empty one, where there is no next pair
#else
      __pipeline_commit();  // another batch
    }
#endif
    __pipeline_wait_prior(1);  // wait for all batches but the newest
    C[i] = a[place][t] + b[place][t];
    place = 1 - place;
  }
}
