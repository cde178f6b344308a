// Exercise 00.1: your first kernel. `./course check 00 --exercise 1` says how far you are.

/// y[i] = factor x[i] + y[i], for every i below n.
///
/// Blocks and grid are one-dimensional. There are enough threads for the whole array, and often
/// some more.
__global__ void scale_and_add(int n, float factor,
                              const float* x,  // [n]
                              float* y) {      // [n]
#ifdef COURSE_SOLUTION
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i] + y[i];
#else
  // TODO: which element is this thread's? Is there such an element?
#endif
}
