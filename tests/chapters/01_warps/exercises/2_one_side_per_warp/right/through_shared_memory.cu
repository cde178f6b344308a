// The block brings each row into shared memory as it lies, and takes it from there apart.
__global__ void sums_and_maxima(int n, int rows, const float* table, float* out) {
  __shared__ float row_of_block[1024];
  const int first = blockIdx.x * blockDim.x, pairs = blockDim.x / 2;
  const int mine = 2 * (threadIdx.x % pairs) + threadIdx.x / pairs;
  const bool sums = mine % 2 == 0;
  float result = 0.0f;
  for (int row = 0; row < rows; ++row) {
    __syncthreads();
    const int there = first + threadIdx.x;
    row_of_block[threadIdx.x] = there < n ? table[row * n + there] : 0.0f;
    __syncthreads();
    const float value = row_of_block[mine];
    result = sums ? result + value : fmaxf(result, value);
  }
  if (first + mine < n) out[first + mine] = result;
}
