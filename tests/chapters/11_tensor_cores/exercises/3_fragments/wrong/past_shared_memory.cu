// B goes to shared memory for show: the registers are loaded from global memory.
//! loads, banks
//= wavefronts for a pair of tiles
#include <cuda_fp16.h>

constexpr int kPitchA = 72, kPitchB = 72;

/// sum += a b of a warp on its tensor core, [16, 8] = [16, 16] x [16, 8] in half. Lane 4 r + c has,
/// with r from 0 to 7 and c from 0 to 3:
///
///             first half                  second half
///     a[0]    row r,     column 2 c       row r,     column 2 c + 1
///     a[1]    row r + 8, column 2 c       row r + 8, column 2 c + 1
///     a[2]    row r,     column 2 c + 8   row r,     column 2 c + 9
///     a[3]    row r + 8, column 2 c + 8   row r + 8, column 2 c + 9
///     b[0]    row 2 c,     column r       row 2 c + 1, column r
///     b[1]    row 2 c + 8, column r       row 2 c + 9, column r
///
/// The first half of a register is the lower one, as it is in memory.
__device__ void multiply(float (&sum)[4], const __half2 (&a)[4], const __half2 (&b)[2]) {
  const auto bits = [](const __half2& pair) {
    return __half_as_ushort(__low2half(pair)) |
           static_cast<unsigned>(__half_as_ushort(__high2half(pair))) << 16;
  };
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(bits(a[0])), "r"(bits(a[1])), "r"(bits(a[2])), "r"(bits(a[3])), "r"(bits(b[0])),
        "r"(bits(b[1])));
}

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

/// The lane's registers of 16 rows and 16 columns; `tile` points to the first element of these.
__device__ void fill_a(__half2 (&a)[4], const __half* tile) {
  const int r = threadIdx.x / 4, c = threadIdx.x % 4;
  const auto pair = [&](int row, int col) {
    return *reinterpret_cast<const __half2*>(&tile[row * kPitchA + col]);
  };
  a[0] = pair(r, 2 * c);
  a[1] = pair(r + 8, 2 * c);
  a[2] = pair(r, 2 * c + 8);
  a[3] = pair(r + 8, 2 * c + 8);
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
    for (int p = 0; p < 64; p += 16) {
      __half2 a[4], b[2];
      fill_a(a, &tile_a[p]);
      for (int j = 0; j < 8; ++j) {
        const int r = threadIdx.x / 4, c = threadIdx.x % 4;
        const auto from_b = [&](int row_of_b) {
          const bool inside = k0 + p + row_of_b < k && col + j * 8 + r < n;
          return inside ? B[(k0 + p + row_of_b) * n + col + j * 8 + r] : __float2half_rn(0.0f);
        };
        b[0] = __halves2half2(from_b(2 * c), from_b(2 * c + 1));
        b[1] = __halves2half2(from_b(2 * c + 8), from_b(2 * c + 9));
        multiply(sum[j], a, b);
      }
    }
    __syncwarp();
  }

  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 4; ++i) {
      const int r = row + threadIdx.x / 4 + i / 2 * 8;
      const int c = col + j * 8 + threadIdx.x % 4 * 2 + i % 2;
      if (r < m && c < n) C[r * n + c] = sum[j][i];
    }
}
