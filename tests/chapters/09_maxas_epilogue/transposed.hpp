#pragma once

/// @file
/// From row-major to column-major and back.

#include <cstddef>
#include <vector>

namespace course_test {

/// `values`, [rows, columns], as [columns, rows].
inline std::vector<float> transposed(const std::vector<float>& values, int rows, int columns) {
  std::vector<float> result(values.size());
  for (std::size_t row = 0, i = 0; row < std::size_t(rows); ++row)
    for (std::size_t col = 0; col < std::size_t(columns); ++col)
      result[col * rows + row] = values[i++];
  return result;
}

}  // namespace course_test
