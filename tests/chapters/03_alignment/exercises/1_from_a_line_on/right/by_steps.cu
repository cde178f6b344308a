// Threads go on by the size of the grid, from the line that holds `first`, with a pointer.
__global__ void scale_from(int n, int first, float factor, float* data) {
  const int step = gridDim.x * blockDim.x;
  int k = (first & ~31) + blockIdx.x * blockDim.x + threadIdx.x;
  for (float* element = data + k; k < n; k += step, element += step)
    if (k >= first) *element = *element * factor;
}
