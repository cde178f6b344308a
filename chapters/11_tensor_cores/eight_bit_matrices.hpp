#pragma once

/// @file
/// Matrices of 8-bit floats with their scales, and what float64 makes of their product.

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "course/divide_up.hpp"
#include "course/sgemm_check.hpp"
#include "inputs.hpp"
#include "steps/eight_bit_problem.cuh"

namespace eight_bit_matrices {

/// How many elements share a scale: all of a matrix, or 1 x 128 of A and 128 x 128 of B.
enum class Scaling { matrix, blocks };

/// A matrix in 8 bits. Element (row, col) has the scale of its block.
struct Scaled {
  int rows, cols, block_rows, block_cols;
  std::vector<__nv_fp8_e4m3> elements;  // [rows, cols]
  std::vector<float> scales;            // [blocks of rows, blocks of cols]

  int blocks() const { return std::max(1, course::divide_up(cols, block_cols)); }
  float& scale(int row, int col) {
    return scales[static_cast<std::size_t>(row / block_rows) * blocks() + col / block_cols];
  }
};

/// Chooses scales so that the largest element of each block becomes the largest 8-bit float, and
/// rounds. `values` become what the 8-bit floats say.
inline Scaled scaled(std::vector<float>& values, int rows, int cols, int block_rows,
                     int block_cols) {
  constexpr float kLargest = 448.0f;
  Scaled result{rows, cols, block_rows, block_cols, {}, {}};
  result.elements.resize(values.size());
  result.scales.assign(
      static_cast<std::size_t>(std::max(1, course::divide_up(rows, block_rows))) * result.blocks(),
      0.0f);
  const auto for_each = [&](auto use) {
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col)
        use(static_cast<std::size_t>(row) * cols + col, result.scale(row, col));
  };
  for_each([&](std::size_t i, float& scale) {
    scale = std::max(scale, std::abs(values[i]) / kLargest);
  });
  for (float& scale : result.scales)
    if (scale == 0.0f) scale = 1.0f;
  for_each([&](std::size_t i, const float& scale) {
    result.elements[i] = __nv_fp8_e4m3(values[i] / scale);
    values[i] = static_cast<float>(result.elements[i]) * scale;
  });
  return result;
}

inline std::vector<float> transposed(const std::vector<float>& values, int rows, int cols) {
  std::vector<float> result(values.size());
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col)
      result[static_cast<std::size_t>(col) * rows + row] =
          values[static_cast<std::size_t>(row) * cols + col];
  return result;
}

/// A and B in both formats; the floats are those that 8 bits and the scales can hold.
struct Problem {
  course::SgemmProblem floats;
  std::vector<__nv_fp8_e4m3> a, b;      // [m, k], [n, k]
  std::vector<float> scale_a, scale_b;  // as EightBitGemm has them
};

/// These A and B, rounded to 8 bits.
inline Problem rounded(course::SgemmProblem given, Scaling scaling) {
  const auto [m, n, k] = given.size;
  Problem problem{.floats = std::move(given), .a = {}, .b = {}, .scale_a = {}, .scale_b = {}};
  course::SgemmProblem& floats = problem.floats;
  const bool has_blocks = scaling == Scaling::blocks;
  const auto block = [&](int whole) { return has_blocks ? kScaledBlock : std::max(1, whole); };
  Scaled a = scaled(floats.a, m, k, has_blocks ? 1 : std::max(1, m), block(k));
  std::vector<float> rows_of_b = transposed(floats.b, k, n);
  Scaled b = scaled(rows_of_b, n, k, block(n), block(k));
  floats.b = transposed(rows_of_b, n, k);
  problem.a = std::move(a.elements);
  problem.b = std::move(b.elements);
  // A block of k has the scales of all rows of A side by side, as a warp reads them.
  problem.scale_a = has_blocks ? transposed(a.scales, std::max(1, m), a.blocks()) : a.scales;
  problem.scale_b = std::move(b.scales);
  if (1.0 * m * n * k <= course::kSgemmFullCheckProducts)
    floats.expected = course::sgemm_reference(floats);
  return problem;
}

/// Random A and B of some kind.
inline Problem make(inputs::Kind kind, const course::SgemmSize& size, Scaling scaling,
                    std::uint64_t seed) {
  return rounded(inputs::make(kind, size, seed), scaling);
}

}  // namespace eight_bit_matrices
