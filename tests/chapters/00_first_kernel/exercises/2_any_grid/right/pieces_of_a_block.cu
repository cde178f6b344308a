// Every block has a piece of the array to itself, and its threads go through it side by side.
__global__ void square(int n, float* data) {
  const int whole = (n + gridDim.x - 1) / gridDim.x;
  const int piece = (whole + 31) / 32 * 32;
  const int first = blockIdx.x * piece;
  for (int i = threadIdx.x; i < piece && first + i < n; i += blockDim.x)
    data[first + i] *= data[first + i];
}
