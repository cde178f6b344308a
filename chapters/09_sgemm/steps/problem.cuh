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

constexpr int kVector = 4;  ///< floats of one 16-byte access

/// Four floats as one 16-byte access; the first of them lies on 16 bytes.
__device__ inline float4& as_float4(float& first) { return *reinterpret_cast<float4*>(&first); }
__device__ inline const float4& as_float4(const float& first) {
  return *reinterpret_cast<const float4*>(&first);
}

/// Whether so many elements from (row, col) on lie inside the matrix.
__device__ inline bool is_inside(int rows, int cols, int row, int col, int tall, int wide) {
  return row + tall <= rows && col + wide <= cols;
}

/// Whether every fourth element of every row lies on 16 bytes.
__device__ inline bool is_aligned(const float* M, int ld) {
  return (reinterpret_cast<unsigned long long>(M) / sizeof(float) | ld) % 4 == 0;
}

/// Access to elements that lie inside their matrix; four of a row, on 16 bytes. Nothing is tested.
struct Untested {
  static __device__ void store(float* C, int, int, int ld, int row, int col, float alpha, float sum,
                               float beta) {
    float& result = element(C, ld, row, col);
    result = beta == 0.0f ? alpha * sum : alpha * sum + beta * result;
  }
  static __device__ float load(const float* M, int, int, int ld, int row, int col) {
    return element(M, ld, row, col);
  }
  static __device__ float4 load4(const float* M, int, int, int ld, int row, int col) {
    return as_float4(element(M, ld, row, col));
  }
  static __device__ void store4(float* C, int, int, int ld, int row, int col, float alpha,
                                const float* sum, float beta) {
    float4& result = as_float4(element(C, ld, row, col));
    float4 old = {};
    if (beta != 0.0f) old = result;
    const auto updated = [&](float product, float c) {
      return beta == 0.0f ? alpha * product : alpha * product + beta * c;
    };
    result = make_float4(updated(sum[0], old.x), updated(sum[1], old.y), updated(sum[2], old.z),
                         updated(sum[3], old.w));
  }
};

/// Access to any elements: 0 is loaded outside the matrix, and nothing stored there; four of a row
/// are one 16-byte access where that is possible.
struct Tested {
  static __device__ void store(float* C, int rows, int cols, int ld, int row, int col, float alpha,
                               float sum, float beta) {
    if (row < rows && col < cols) Untested::store(C, rows, cols, ld, row, col, alpha, sum, beta);
  }
  static __device__ float load(const float* M, int rows, int cols, int ld, int row, int col) {
    return row < rows && col < cols ? element(M, ld, row, col) : 0.0f;
  }
  static __device__ float4 load4(const float* M, int rows, int cols, int ld, int row, int col) {
    if (is_float4(M, rows, cols, ld, row, col)) return Untested::load4(M, rows, cols, ld, row, col);
    return make_float4(load(M, rows, cols, ld, row, col), load(M, rows, cols, ld, row, col + 1),
                       load(M, rows, cols, ld, row, col + 2),
                       load(M, rows, cols, ld, row, col + 3));
  }
  static __device__ void store4(float* C, int rows, int cols, int ld, int row, int col, float alpha,
                                const float* sum, float beta) {
    if (is_float4(C, rows, cols, ld, row, col))
      return Untested::store4(C, rows, cols, ld, row, col, alpha, sum, beta);
    for (int j = 0; j < 4; ++j) store(C, rows, cols, ld, row, col + j, alpha, sum[j], beta);
  }

 private:
  static __device__ bool is_float4(const float* M, int rows, int cols, int ld, int row, int col) {
    return is_inside(rows, cols, row, col, 1, 4) && is_aligned(&element(M, ld, row, col), 0);
  }
};

/// C(row, col) = alpha sum + beta C(row, col) inside C.
__device__ inline void store(float* C, int rows, int cols, int ld, int row, int col, float alpha,
                             float sum, float beta) {
  Tested::store(C, rows, cols, ld, row, col, alpha, sum, beta);
}

/// How a kernel finds out what lies outside its matrices: once per tile, at every access, or not at
/// all; then m, n, k must be whole tiles, and all rows begin on 16 bytes.
enum class Edges { kTestTile, kTestAccess, kTestNothing };

/// Calls `access` with Untested where all that it reaches is whole, else with Tested.
template <Edges kEdges = Edges::kTestTile, typename Access>
__device__ inline void reach(bool is_whole, Access access) {
  if (kEdges == Edges::kTestNothing || (kEdges == Edges::kTestTile && is_whole))
    access(Untested{});
  else
    access(Tested{});
}

/// Calls `multiply` with Untested or Tested and with the first k of each pair of tiles: where
/// `is_whole`, only a last pair that k cuts is tested.
template <int kTileK, Edges kEdges = Edges::kTestTile, typename Multiply>
__device__ inline void for_tiles(bool is_whole, int k, Multiply multiply) {
  int k0 = 0;
  if (kEdges == Edges::kTestNothing || (kEdges == Edges::kTestTile && is_whole))
    for (; k0 + kTileK <= k; k0 += kTileK) multiply(Untested{}, k0);
  if (kEdges != Edges::kTestNothing)
    for (; k0 < k; k0 += kTileK) multiply(Tested{}, k0);
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
