#pragma once

/// @file
/// What all steps of the ladder share and none of them teaches: the problem, the edges of its
/// matrices, a launch with a block a tile.

#include <cuda_runtime.h>

#include <cstddef>

#include "course/divide_up.hpp"

/// C = alpha A B + beta C, row-major, m, n, k >= 0, in device memory; beta = 0 does not read C, and
/// k = 0 or alpha = 0 does not read A and B. A pointer is aligned to 4 bytes, and no more is asked.
struct Sgemm {
  int m, n, k;
  float alpha;
  const float* A;  // [m, k]
  int lda;         // floats from one row to the next
  const float* B;  // [k, n]
  int ldb;
  float beta;
  float* C;  // [m, n]
  int ldc;
  int multiprocessors = 1;     // to share the work among: the device's, or fewer
  float* workspace = nullptr;  // what the step's workspace_floats() asks for, if it has one

  int used_k() const { return alpha == 0.0f ? 0 : k; }  // A B is not needed where it counts 0 times
};

/// Element (row, col) of a row-major matrix.
template <typename T>
__device__ inline T& element(T* M, int ld, int row, int col) {
  return M[static_cast<long long>(row) * ld + col];
}

/// The same, or 0 outside the matrix.
__device__ inline float load_or_zero(const float* M, int rows, int cols, int ld, int row, int col) {
  return row < rows && col < cols ? element(M, ld, row, col) : 0.0f;
}

/// Four floats as one 16-byte access; the first of them lies on 16 bytes.
__device__ inline float4& as_float4(float& first) { return *reinterpret_cast<float4*>(&first); }

/// Whether elements (row, col) to (row, col + 3) lie inside the matrix and on 16 bytes.
__device__ inline bool is_float4(const float* M, int rows, int cols, int ld, int row, int col) {
  return row < rows && col + 3 < cols &&
         reinterpret_cast<unsigned long long>(&element(M, ld, row, col)) % sizeof(float4) == 0;
}

/// Elements (row, col) to (row, col + 3): one 16-byte load where that is possible.
__device__ inline float4 load4_or_zero(const float* M, int rows, int cols, int ld, int row,
                                       int col) {
  if (is_float4(M, rows, cols, ld, row, col))
    return *reinterpret_cast<const float4*>(&element(M, ld, row, col));
  return make_float4(
      load_or_zero(M, rows, cols, ld, row, col), load_or_zero(M, rows, cols, ld, row, col + 1),
      load_or_zero(M, rows, cols, ld, row, col + 2), load_or_zero(M, rows, cols, ld, row, col + 3));
}

/// C(row, col) = alpha sum + beta C(row, col) inside C.
__device__ inline void store(float* C, int rows, int cols, int ld, int row, int col, float alpha,
                             float sum, float beta) {
  if (row >= rows || col >= cols) return;
  float& result = element(C, ld, row, col);
  result = beta == 0.0f ? alpha * sum : alpha * sum + beta * result;
}

/// A kernel of which a block computes a tile of C; the grid covers n in x and m in y.
using TileKernel = void(int m, int n, int k, float alpha, const float* A, int lda, const float* B,
                        int ldb, float beta, float* C, int ldc);

/// Launches a block for every tile of C.
inline void launch_tiles(TileKernel& kernel, int tile_m, int tile_n, int threads, const Sgemm& s,
                         cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  const dim3 grid(course::divide_up(s.n, tile_n), course::divide_up(s.m, tile_m));
  kernel<<<grid, threads, 0, stream>>>(s.m, s.n, s.used_k(), s.alpha, s.A, s.lda, s.B, s.ldb,
                                       s.beta, s.C, s.ldc);
}
