// The tensor core makes as many products as it should, and nobody looks at them. Each lane loads
// rows of A and columns of B once, and adds in double.
//! accuracy, tensor, loads
//= C is not rounded as a tensor core rounds
#include <cuda_fp16.h>

__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ double element(const __half* high, const __half* low, int i) {
  return static_cast<double>(__half2float(high[i])) + static_cast<double>(__half2float(low[i]));
}

__global__ void product(int m, int n, int k,   //
                        const __half* A_high,  // [m, k]
                        const __half* A_low,   // [m, k]
                        const __half* B_high,  // [n, k]
                        const __half* B_low,   // [n, k]
                        float* C) {            // [m, n]
  const int row = blockIdx.y * 16, col = blockIdx.x * 8, lane = threadIdx.x;

  float seen[4] = {};
  for (int p = 0; p < k; p += 16)
    for (int i = 0; i < 3; ++i) {
      const unsigned any[4] = {0x3c003c00u, 0x3c003c00u, 0x3c003c00u, 0x3c003c00u};
      const unsigned other[2] = {any[0], any[1]};
      multiply(seen, any, other);
    }

  for (int i = 0; i < 4; ++i) {
    const int r = row + lane / 4 + i / 2 * 8, c = col + lane % 4 * 2 + i % 2;
    if (r >= m || c >= n) continue;
    double sum = 0.0;
    for (int p = 0; p < k; ++p)
      sum += element(A_high, A_low, r * k + p) * element(B_high, B_low, c * k + p);
    C[r * n + c] = static_cast<float>(sum);
  }
}
