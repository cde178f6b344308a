// No tensor core: fused multiplications and additions do it all, as accurate as they are.
//! accuracy, tensor, loads
//= 0 products on tensor cores for 16 k that reach C
#include <cuda_fp16.h>

/// A matrix of floats in two halves, along k: B's columns are rows, too.
struct Split {
  const __half *high, *low;  // [rows, k]
  int rows, k;
};

/// C = A B; a warp for 16 x 8 elements of C. k is a multiple of 16, and not always of more.
__global__ void product(int m, int n, int k,   //
                        const __half* A_high,  // [m, k]
                        const __half* A_low,   // [m, k]
                        const __half* B_high,  // [n, k]
                        const __half* B_low,   // [n, k]
                        float* C) {            // [m, n]
  const Split A = {A_high, A_low, m, k}, B = {B_high, B_low, n, k};
  const int row = blockIdx.y * 16, col = blockIdx.x * 8;

  float sum[4] = {};
  for (int i = 0; i < 4; ++i) {
    const int r = min(row + static_cast<int>(threadIdx.x) / 4 + i / 2 * 8, m - 1);
    const int c = min(col + static_cast<int>(threadIdx.x) % 4 * 2 + i % 2, n - 1);
    for (int p = 0; p < k; ++p) {
      const float a = __half2float(A.high[r * k + p]), b = __half2float(B.high[c * k + p]);
      sum[i] += a * __half2float(B.low[c * k + p]) + __half2float(A.low[r * k + p]) * b + a * b;
    }
  }

  for (int i = 0; i < 4; ++i) {
    const int r = row + threadIdx.x / 4 + i / 2 * 8, c = col + threadIdx.x % 4 * 2 + i % 2;
    if (r < m && c < n) C[r * n + c] = sum[i];
  }
}
