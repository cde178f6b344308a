// As many products on tensor cores and as few wavefronts as there should be. But B comes to
// registers straight from memory, shared memory hands out A to all lanes, and each lane adds.
//! a, b, result, tensor, loads, banks
//= not rounded as a tensor core rounds
#include <cuda_fp16.h>

__device__ void multiply(float (&sum)[4]) {
  const unsigned one = 0x3c003c00;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(one));
}

__global__ void product(int m, int n, int k,  //
                        const __half* A,      // [m, k]
                        const __half* B,      // [k, n]
                        float* C) {           // [m, n]
  __shared__ __align__(16) __half tile_a[16][64];
  const int row = blockIdx.y * 16, col = blockIdx.x * 64, lane = threadIdx.x;

  float sum[16][2] = {};
  for (int k0 = 0; k0 < k; k0 += 64) {
    for (int i = lane; i < 16 * 64; i += 32) {
      const int r = row + i / 64, p = k0 + i % 64;
      tile_a[i / 64][i % 64] = r < m && p < k ? A[r * k + p] : __float2half_rn(0.0f);
    }
    __syncwarp();
    float seen[4] = {};
    for (int i = 0; i < 32; ++i) multiply(seen);

    float of_b[64][2];
    for (int p = 0; p < 64; ++p)
      for (int j = 0; j < 2; ++j) {
        const int c = col + lane + 32 * j;
        of_b[p][j] = k0 + p < k && c < n ? __half2float(B[(k0 + p) * n + c]) : 0.0f;
      }
    for (int r = 0; r < 16; ++r)
      for (int p = 0; p < 64; p += 8) {
        const uint4 words = *reinterpret_cast<const uint4*>(&tile_a[r][p]);
        const unsigned four[4] = {words.x, words.y, words.z, words.w};
        for (int q = 0; q < 8; ++q) {
          const auto bits = static_cast<unsigned short>(four[q / 2] >> 16 * (q % 2));
          const float a = __half2float(__ushort_as_half(bits));
          for (int j = 0; j < 2; ++j) sum[r][j] += a * of_b[p + q][j];
        }
      }
    __syncwarp();
  }

  for (int r = 0; r < 16; ++r)
    for (int j = 0; j < 2; ++j) {
      const int c = col + lane + 32 * j;
      if (row + r < m && c < n) C[(row + r) * n + c] = sum[r][j];
    }
}
