#pragma once

/// @file
/// Copies of matrices that TMA cannot read, to where it can.
///
/// The idea: a copy costs time once, and every later load is TMA's. One launch copies both
/// matrices. A warp has a piece of a row, and all its loads are under way before the first store.

#include <cuda_runtime.h>

#include <cstddef>

#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "pipeline.cuh"
#include "problem.cuh"
#include "tma.cuh"

namespace any_shape {

constexpr int kAlignWarps = 8;   // of a block: each has its own row
constexpr int kAlignAtOnce = 8;  // floats of a thread
constexpr int kAlignCols = kAlignAtOnce * pipeline::kWarpSize;

/// A matrix and its copy.
struct Aligning {
  const float* in;  // [rows, cols]
  int ld;
  float* out;  // [rows, cols]
  int ld_out, rows, cols;
  /// Blocks that copy it.
  __host__ __device__ int strips() const { return (cols + kAlignCols - 1) / kAlignCols; }
  __host__ __device__ int blocks() const {
    return (rows + kAlignWarps - 1) / kAlignWarps * strips();
  }
};

/// Copies A in the first blocks, B in the others.
template <int kThreads = kAlignWarps* pipeline::kWarpSize>
__global__ void __launch_bounds__(kThreads) align(const Aligning A, const Aligning B) {
  const bool is_a = static_cast<int>(blockIdx.x) < A.blocks();
  const Aligning& M = is_a ? A : B;
  const int block = blockIdx.x - (is_a ? 0 : A.blocks());
  const int row = block / M.strips() * kAlignWarps + threadIdx.x / pipeline::kWarpSize;
  const int col0 = block % M.strips() * kAlignCols + threadIdx.x % pipeline::kWarpSize;
  if (row >= M.rows) return;
  float values[kAlignAtOnce];
#pragma unroll
  for (int i = 0; i < kAlignAtOnce; ++i) {
    const int col = col0 + i * pipeline::kWarpSize;
    if (col < M.cols) values[i] = element(M.in, M.ld, row, col);
  }
#pragma unroll
  for (int i = 0; i < kAlignAtOnce; ++i) {
    const int col = col0 + i * pipeline::kWarpSize;
    if (col < M.cols) element(M.out, M.ld_out, row, col) = values[i];
  }
}

/// The same product, of matrices that TMA can read; its workspace begins behind the copies.
inline Sgemm align_operands(const Sgemm& s, cudaStream_t stream) {
  Sgemm aligned = s;
  const int k = s.used_k();
  const auto copy_of = [&](const float*& data, int& ld, int rows, int cols) -> Aligning {
    const tma::Rows M = {data, ld};
    if (tma::copy_floats(M, rows, cols) == 0) return {};
    data = aligned.workspace;
    ld = tma::aligned_ld(cols);
    aligned.workspace += tma::copy_floats(M, rows, cols);
    return {M.data, M.ld, const_cast<float*>(data), ld, rows, cols};
  };
  const Aligning A = copy_of(aligned.A, aligned.lda, s.m, k);
  const Aligning B = copy_of(aligned.B, aligned.ldb, k, s.n);
  if (A.blocks() + B.blocks() == 0) return aligned;
  align<><<<A.blocks() + B.blocks(), kAlignWarps * pipeline::kWarpSize, 0, stream>>>(A, B);
  course::check_launch();
  return aligned;
}

}  // namespace any_shape
