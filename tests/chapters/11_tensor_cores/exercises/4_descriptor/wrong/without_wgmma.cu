// Ordinary multiplications.
//! swizzle, result, tensor, reads
//= not rounded as a tensor core rounds
#include <cuda_fp16.h>

#include <cstdint>

__device__ int place(int row, int piece) { return row * 4 + (piece ^ row / 2 % 4); }

/// Copies a tile of `tall` x 32 halves to shared memory, with zeros beyond the matrix.
__device__ void load(__half* tile, int tall, const __half* matrix, int rows, int k, int row0,
                     int k0) {
  for (int i = threadIdx.x; i < tall * 32; i += 128) {
    const int row = i / 32, col = i % 32;
    const bool inside = row0 + row < rows && k0 + col < k;
    tile[place(row, col / 8) * 8 + col % 8] =
        inside ? matrix[(row0 + row) * k + k0 + col] : __float2half_rn(0.0f);
  }
}

/// C = A B, where B's columns are rows, too; a warpgroup for 64 x 16 elements of C, from tiles with
/// 32 k.
__global__ void product(int m, int n, int k,  //
                        const __half* A,      // [m, k]
                        const __half* B,      // [n, k]
                        float* C) {           // [m, n]
  __shared__ __align__(1024) __half tile_a[64 * 32];
  __shared__ __align__(1024) __half tile_b[16 * 32];
  const int row = blockIdx.y * 64, col = blockIdx.x * 16;

  float sum[8] = {};
  for (int k0 = 0; k0 < k; k0 += 32) {
    load(tile_a, 64, A, m, k, row, k0);
    load(tile_b, 16, B, n, k, col, k0);
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      const int r = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
      const int c = i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
      for (int p = 0; p < 32; ++p)
        sum[i] += __half2float(tile_a[place(r, p / 8) * 8 + p % 8]) *
                  __half2float(tile_b[place(c, p / 8) * 8 + p % 8]);
    }
    __syncthreads();
  }

  for (int i = 0; i < 8; ++i) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int r = row + warp * 16 + lane / 4 + i / 2 % 2 * 8;
    const int c = col + i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (r < m && c < n) C[r * n + c] = sum[i];
  }
}
