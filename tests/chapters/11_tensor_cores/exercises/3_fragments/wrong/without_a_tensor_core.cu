// Ordinary multiplications.
//! a, b, result, tensor, loads, banks
//= not rounded as a tensor core rounds
#include <cuda_fp16.h>

constexpr int kPitchA = 72, kPitchB = 72;

/// Copies a tile of `tall` x 64 halves to shared memory, row by row, with zeros beyond the matrix.
__device__ void load(__half* tile, int pitch, int tall, const __half* matrix, int rows, int cols,
                     int row0, int col0) {
  for (int i = threadIdx.x; i < tall * 64; i += 32) {
    const int row = i / 64, col = i % 64;
    const bool inside = row0 + row < rows && col0 + col < cols;
    tile[row * pitch + col] =
        inside ? matrix[(row0 + row) * cols + col0 + col] : __float2half_rn(0.0f);
  }
}

/// C = A B; a warp for 16 x 64 elements of C, from tiles with 64 k. All matrices are row-major, in
/// shared memory, too.
__global__ void product(int m, int n, int k,  //
                        const __half* A,      // [m, k]
                        const __half* B,      // [k, n]
                        float* C) {           // [m, n]
  __shared__ __align__(16) __half tile_a[16 * kPitchA], tile_b[64 * kPitchB];
  const int row = blockIdx.y * 16, col = blockIdx.x * 64;

  float sum[8][4] = {};
  for (int k0 = 0; k0 < k; k0 += 64) {
    load(tile_a, kPitchA, 16, A, m, k, row, k0);
    load(tile_b, kPitchB, 64, B, k, n, k0, col);
    __syncwarp();
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 4; ++i)
        for (int p = 0; p < 64; ++p)
          sum[j][i] += __half2float(tile_a[(threadIdx.x / 4 + i / 2 * 8) * kPitchA + p]) *
                       __half2float(tile_b[p * kPitchB + j * 8 + threadIdx.x % 4 * 2 + i % 2]);
    __syncwarp();
  }

  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 4; ++i) {
      const int r = row + threadIdx.x / 4 + i / 2 * 8;
      const int c = col + j * 8 + threadIdx.x % 4 * 2 + i % 2;
      if (r < m && c < n) C[r * n + c] = sum[j][i];
    }
}
