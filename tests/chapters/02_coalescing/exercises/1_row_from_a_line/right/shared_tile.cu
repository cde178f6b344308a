// The block brings 32 columns of A and 32 rows of B into shared memory at a time.
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int width, int height) {
  constexpr int kDepth = 32;
  __shared__ float a_tile[128 * kDepth], b_tile[kDepth * 128];
  const int y = threadIdx.x / width, x = threadIdx.x % width;
  const int first_row = blockIdx.y * height, first_col = blockIdx.x * width;
  float sum = 0.0f;
  for (int begin = 0; begin < k; begin += kDepth) {
    for (int i = threadIdx.x; i < height * kDepth; i += blockDim.x) {
      const int row = first_row + i / kDepth, p = begin + i % kDepth;
      a_tile[i] = row < m && p < k ? A[row * k + p] : 0.0f;
    }
    for (int i = threadIdx.x; i < kDepth * width; i += blockDim.x) {
      const int p = begin + i / width, col = first_col + i % width;
      b_tile[i] = p < k && col < n ? B[p * n + col] : 0.0f;
    }
    __syncthreads();
    for (int p = 0; p < min(kDepth, k - begin); ++p)
      sum += a_tile[y * kDepth + p] * b_tile[p * width + x];
    __syncthreads();
  }
  if (first_row + y < m && first_col + x < n) C[(first_row + y) * n + first_col + x] = sum;
}
