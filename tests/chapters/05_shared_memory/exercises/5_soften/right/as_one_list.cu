// The tile as a list of 34 x 34 pixels, which the threads fetch in the order of their numbers.
__global__ void soften(int width, int height, const int* in, int* out) {
  constexpr int side = 34;
  __shared__ int list[side * side];
  const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 32 - 1;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < side * side; k += 32 * 32) {
    const int row = top + k / side, col = left + k % side;
    list[k] = row >= 0 && col >= 0 && row < height && col < width ? in[row * width + col] : 0;
  }
  __syncthreads();
  const int col = left + 1 + threadIdx.x, row = top + 1 + threadIdx.y;
  if (col < width && row < height) {
    const int* at = list + threadIdx.y * side + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 9; ++k) sum += at[k / 3 * side + k % 3];
    out[row * width + col] = sum;
  }
}
