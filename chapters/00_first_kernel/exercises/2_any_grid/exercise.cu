// Exercise 00.2: a grid of any size. `./course check 00 --exercise 2` says how far you are.

/// data[i] = data[i] squared, for every i below n, with however few threads there are.
///
/// Blocks and grid are one-dimensional. One block of 32 threads must do, and so must a grid with
/// more threads than elements.
__global__ void square(int n, float* data) {  // [n]
#ifdef COURSE_SOLUTION
  const int grid_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += grid_threads)
    data[i] = data[i] * data[i];
#else
  // TODO: when this thread is done with element i, there may be more for it to do.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
#endif
}
