// Exercise 07.2: two elements per round. `./course check 07 --exercise 2` says how far you are.

/// C[i] = A[i + offset] + B[i + offset] with a grid of any size, and two elements per round: four
/// loads before the first store. A thread's elements are as far apart as the grid has threads.
__global__ void sum_grid_stride2(int n, int offset,
                                 const float* A,  // [n]
                                 const float* B,  // [n]
                                 float* C) {      // [n - offset]
  const int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef COURSE_SOLUTION
  for (; i + stride + offset < n; i += 2 * stride) {
    const float a0 = A[i + offset], a1 = A[i + stride + offset];
    const float b0 = B[i + offset], b1 = B[i + stride + offset];
    C[i] = a0 + b0;
    C[i + stride] = a1 + b1;
  }
#else
  // TODO: as long as elements i and i + stride both exist, sum both of them in one round.
#endif

  for (; i + offset < n; i += stride) C[i] = A[i + offset] + B[i + offset];
}
