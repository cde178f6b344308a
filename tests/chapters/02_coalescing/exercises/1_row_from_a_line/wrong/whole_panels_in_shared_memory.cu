// The lanes still go down a column. All that a block needs of A and B lies in shared memory: it
// fits as long as k is small.
//= shared
__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int width, int height) {
  __shared__ float all[12000];
  const int thread = threadIdx.x, threads = blockDim.x;
  const int row0 = blockIdx.y * height, col0 = blockIdx.x * width;
  float* const b = all + height * k;
  for (int e = thread; e < height * k; e += threads)
    if (row0 + e / k < m) all[e] = A[row0 * k + e];
  for (int e = thread; e < k * width; e += threads)
    if (col0 + e % width < n) b[e] = B[e / width * n + col0 + e % width];
  __syncthreads();
  const int y = thread % height, x = thread / height;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += all[y * k + p] * b[p * width + x];
  __syncthreads();
  all[y * width + x] = sum;
  __syncthreads();
  const int row = row0 + thread / width, col = col0 + thread % width;
  if (row < m && col < n) C[row * n + col] = all[thread];
}
