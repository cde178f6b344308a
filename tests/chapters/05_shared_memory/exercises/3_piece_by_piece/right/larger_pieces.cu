// Pieces of 512 numbers, filled up with infinity, and fewer barriers.
__global__ void count_smaller(int n, int m, const float* x, const float* list, int* counts) {
  constexpr int kNumbers = 512;
  __shared__ float piece[kNumbers];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < n ? x[i] : 0.0f;
  int smaller = 0;
  for (int begin = 0; begin < m; begin += kNumbers) {
    for (int k = threadIdx.x; k < kNumbers; k += blockDim.x)
      piece[k] = begin + k < m ? list[begin + k] : 1e30f;
    __syncthreads();
    for (const float number : piece) smaller += number < mine;
    __syncthreads();
  }
  if (i < n) counts[i] = smaller;
}
