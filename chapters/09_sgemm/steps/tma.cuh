#pragma once

/// @file
/// What the steps with TMA share: how a matrix is described to it, and copies of matrices that it
/// cannot read.

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "problem.cuh"

namespace tma {

constexpr int kAlignment = 16;  // bytes: where every row of a matrix must begin
constexpr int kAlignedFloats = kAlignment / sizeof(float);

/// A matrix's first element, and floats from one row to the next.
struct Rows {
  const float* data;
  int ld;
};

inline bool is_aligned(const Rows& rows) {
  return reinterpret_cast<std::uintptr_t>(rows.data) % kAlignment == 0 &&
         rows.ld % kAlignedFloats == 0;
}

/// Floats of a row of an aligned copy of a matrix.
inline int aligned_ld(int cols) { return course::divide_up(cols, kAlignedFloats) * kAlignedFloats; }

/// Floats of an aligned copy of M, [rows, cols]; 0 if none is needed.
inline std::size_t copy_floats(const Rows& M, int rows, int cols) {
  return is_aligned(M) ? 0 : std::size_t(rows) * aligned_ld(cols);
}

/// Floats of workspace for the copies of A and B that a problem needs.
inline std::size_t copies_floats(const Sgemm& s) {
  const int k = s.used_k();
  return copy_floats({s.A, s.lda}, s.m, k) + copy_floats({s.B, s.ldb}, k, s.n);
}

/// A matrix and where its copy goes.
struct Copy {
  int rows = 0, cols = 0;
  Rows from{};
  float* to = nullptr;  // [rows, cols], its rows `ld` apart
  int ld = 0;           // aligned_ld(cols)
};

/// Copies up to two matrices into rows that begin where TMA wants them; the first `first_blocks`
/// blocks have the first one.
static __global__ void align_rows(const Copy first, const unsigned first_blocks,
                                  const Copy second) {
  cudaTriggerProgrammaticLaunchCompletion();  // a kernel that starts early may be launched
  const bool is_first = blockIdx.x < first_blocks;
  const Copy M = is_first ? first : second;  // a reference would keep both in local memory
  const unsigned block = is_first ? blockIdx.x : blockIdx.x - first_blocks;
  const unsigned blocks = is_first ? first_blocks : gridDim.x - first_blocks;
  const unsigned row_vectors = M.ld / kVector;
  const unsigned vectors = M.rows * row_vectors;
  for (unsigned v = block * blockDim.x + threadIdx.x; v < vectors; v += blocks * blockDim.x) {
    const int row = v / row_vectors, col = v % row_vectors * kVector;
    const auto part = [&](int i) {
      return Tested::load(M.from.data, M.rows, M.cols, M.from.ld, row, col + i);
    };
    as_float4(element(M.to, M.ld, row, col)) = make_float4(part(0), part(1), part(2), part(3));
  }
}

/// A and B as TMA can read them.
struct Aligned {
  Rows A, B;
};

/// The matrices themselves, or copies of them in `copies`, which then moves on behind them.
inline Aligned aligned(const Sgemm& s, float*& copies, cudaStream_t stream) {
  constexpr int kThreads = 256, kMostBlocks = 2048;
  const int k = s.used_k();
  Copy todo[2];
  unsigned blocks[2] = {};
  int count = 0;
  const auto align = [&](const Rows& M, int rows, int cols) {
    const std::size_t floats = copy_floats(M, rows, cols);
    if (floats == 0) return M;
    const Rows copy = {copies, aligned_ld(cols)};
    todo[count] = {rows, cols, M, copies, copy.ld};
    constexpr std::size_t kBlockFloats = kThreads * kVector;
    blocks[count++] = std::min<std::size_t>((floats - 1) / kBlockFloats + 1, kMostBlocks);
    copies += floats;
    return copy;
  };
  const Aligned result = {align({s.A, s.lda}, s.m, k), align({s.B, s.ldb}, k, s.n)};
  if (count == 0) return result;
  align_rows<<<blocks[0] + blocks[1], kThreads, 0, stream>>>(todo[0], blocks[0], todo[1]);
  course::check_launch();
  return result;
}

/// The driver's cuTensorMapEncodeTiled(), without linking the driver.
inline PFN_cuTensorMapEncodeTiled_v12000 encode_function() {
  static const auto function = [] {
    constexpr unsigned kVersion = 12000;
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    course::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, kVersion,
                                                   cudaEnableDefault, &result));
    if (found == nullptr) throw std::runtime_error("the driver has no cuTensorMapEncodeTiled()");
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
  }();
  return function;
}

/// Describes M, [rows, cols], to TMA, which then copies boxes of it; what lies outside
/// the matrix arrives as zeros.
/// @pre is_aligned(M), and M is not empty
inline CUtensorMap describe(const Rows& M, int rows, int cols, int box_rows, int box_cols,
                            CUtensorMapSwizzle swizzle) {
  CUtensorMap map;
  const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)};
  const cuuint64_t stride_bytes[] = {cuuint64_t(M.ld) * sizeof(float)};
  const cuuint32_t box[] = {cuuint32_t(box_cols), cuuint32_t(box_rows)};
  const cuuint32_t step[] = {1, 1};
  const CUresult result =
      encode_function()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(M.data), size,
                        stride_bytes, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                        CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(result));
  return map;
}

}  // namespace tma
