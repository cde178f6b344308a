// The warps bring the tiles into shared memory and C back. Between that, one thread computes.
//! all warps
//= requests of the busiest warp
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int width, int height) {
  __shared__ float a[128], b[128], c[1024];
  const int row = blockIdx.y * height + threadIdx.x / width;
  const int col = blockIdx.x * width + threadIdx.x % width;
  c[threadIdx.x] = 0.0f;
  for (int p = 0; p < k; ++p) {
    __syncthreads();
    if (threadIdx.x % width == 0) a[threadIdx.x / width] = row < m ? A[row * k + p] : 0.0f;
    if (threadIdx.x < width) b[threadIdx.x] = col < n ? B[p * n + col] : 0.0f;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 0; i < width * height; ++i) c[i] += a[i / width] * b[i % width];
  }
  __syncthreads();
  if (row < m && col < n) C[row * n + col] = c[threadIdx.x];
}
