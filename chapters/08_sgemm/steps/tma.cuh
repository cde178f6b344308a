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

/// Copies a matrix into rows that begin where TMA wants them.
static __global__ void align_rows(int rows, int cols,        //
                                  const float* in, int ld,   // [rows, cols]
                                  float* out, int ld_out) {  // [rows, cols]
  for (int row = blockIdx.y; row < rows; row += gridDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < cols; col += gridDim.x * blockDim.x)
      element(out, ld_out, row, col) = element(in, ld, row, col);
}

/// M itself, or a copy of it in `copy`, which then moves on behind it.
inline Rows aligned(const Rows& M, int rows, int cols, float*& copy, cudaStream_t stream) {
  if (is_aligned(M)) return M;
  constexpr int kThreads = 256, kThreadCols = 4, kMostRows = 1024;
  const dim3 grid(course::divide_up(cols, kThreads * kThreadCols), std::min(rows, kMostRows));
  const Rows result = {copy, aligned_ld(cols)};
  align_rows<<<grid, kThreads, 0, stream>>>(rows, cols, M.data, M.ld, copy, result.ld);
  course::check_launch();
  copy += copy_floats(M, rows, cols);
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
