// The compiler warns, and nobody loses points for that: a helper that nothing calls, a parameter
// and a variable that nothing reads, a dangling else, a printf that was left in.
#include <cstdio>

static __device__ float never_called(float x, int unused) { return 2.0f * x; }

__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, float* C,
                                  int width, int height) {
  const size_t row = blockIdx.y * height + threadIdx.x / width;
  const size_t col = blockIdx.x * width + threadIdx.x % width;
  int nothing;
  if (row < m)
    if (col < n) {
      float sum = 0.0f;
      for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
      C[row * n + col] = sum;
    } else
      nothing = 0;
  if (row == 0 && col == 0) printf("%d wide, row %d\n", width, row);
}
