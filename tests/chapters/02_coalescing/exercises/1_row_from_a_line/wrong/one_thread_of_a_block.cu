// The warps bring the tiles into shared memory and C back. Between that, one thread computes.
//! all warps
//= requests of the busiest warp
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int block) {
  __shared__ float a[32], b[32], c[32 * 32];
  const int row = blockIdx.y * block + threadIdx.x / block;
  const int col = blockIdx.x * block + threadIdx.x % block;
  c[threadIdx.x] = 0.0f;
  for (int p = 0; p < k; ++p) {
    __syncthreads();
    if (threadIdx.x % block == 0) a[threadIdx.x / block] = row < m ? A[row * k + p] : 0.0f;
    if (threadIdx.x < block) b[threadIdx.x] = col < n ? B[p * n + col] : 0.0f;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 0; i < block * block; ++i) c[i] += a[i / block] * b[i % block];
  }
  __syncthreads();
  if (row < m && col < n) C[row * n + col] = c[threadIdx.x];
}
