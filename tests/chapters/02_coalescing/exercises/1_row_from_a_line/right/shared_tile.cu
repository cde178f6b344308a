// The block brings tiles of A and B into shared memory, which are as large as its tile of C.
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int block) {
  __shared__ float a_tile[32 * 32], b_tile[32 * 32];
  const int y = threadIdx.x / block, x = threadIdx.x % block;
  const int row = blockIdx.y * block + y, col = blockIdx.x * block + x;
  float sum = 0.0f;
  for (int begin = 0; begin < k; begin += block) {
    a_tile[threadIdx.x] = row < m && begin + x < k ? A[row * k + begin + x] : 0.0f;
    b_tile[threadIdx.x] = begin + y < k && col < n ? B[(begin + y) * n + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < block; ++p) sum += a_tile[y * block + p] * b_tile[p * block + x];
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;
}
