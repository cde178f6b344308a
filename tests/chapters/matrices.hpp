#pragma once

/// @file
/// Helpers for tests of kernels that multiply matrices.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"

namespace course_test {

/// Transposes `values`, [rows, columns], to [columns, rows]: converts row-major to column-major.
inline std::vector<float> transposed(const std::vector<float>& values, int rows, int columns) {
  std::vector<float> result(values.size());
  for (std::size_t row = 0, i = 0; row < std::size_t(rows); ++row)
    for (std::size_t col = 0; col < std::size_t(columns); ++col)
      result[col * rows + row] = values[i++];
  return result;
}

/// Position of a matrix in memory, in floats. A column-major matrix is laid out as its transpose.
struct Layout {
  int gap = 0;     ///< between the end of one row and the next
  int offset = 0;  ///< before the first row

  /// Calls copy(dense, laid_out) with both indices of every row's first element.
  template <class Copy>
  void for_each_row(int rows, int columns, Copy copy) const {
    for (std::ptrdiff_t row = 0; row < rows; ++row)
      copy(row * columns, offset + row * (columns + gap));
  }
};

/// Lays out a dense matrix, [rows, columns]; NaN in the gaps spoils results that use them.
inline std::vector<float> laid_out(const std::vector<float>& dense, int rows, int columns,
                                   const Layout& layout) {
  std::vector<float> result(layout.offset + std::size_t(rows) * (columns + layout.gap),
                            std::numeric_limits<float>::quiet_NaN());
  layout.for_each_row(rows, columns, [&](auto from, auto to) {
    std::copy_n(dense.begin() + from, columns, result.begin() + to);
  });
  return result;
}

/// The result of running a kernel.
struct Outcome {
  std::vector<float> c;  ///< as in memory, until dense() removes the gaps
  bool gaps_intact = true;
  std::optional<course::Counters> counted;  ///< if the back end counts

  /// Checks the gaps and returns the outcome with a dense C, [rows, columns].
  Outcome dense(int rows, int columns, const Layout& layout) && {
    const std::vector<float> all = std::move(c);
    c.resize(std::size_t(rows) * columns);
    layout.for_each_row(rows, columns, [&](auto to, auto from) {
      std::copy_n(all.begin() + from, columns, c.begin() + to);
    });
    gaps_intact = std::memcmp(laid_out(c, rows, columns, layout).data(), all.data(),
                              all.size() * sizeof(float)) == 0;
    return std::move(*this);
  }
};

/// Calls launch(a, b, c) with the matrices in device memory.
/// @throws std::runtime_error if the kernel writes outside C
template <class Launch>
Outcome multiply(const std::vector<float>& a, const std::vector<float>& b,
                 const std::vector<float>& c, Launch launch) {
  const course::DeviceBuffer<float> device_a(a, "A"), device_b(b, "B");
  course::DeviceBuffer<float> device_c(c, "C");
  Outcome outcome;
  outcome.counted = course::count([&] {
    launch(device_a.data(), device_b.data(), device_c.data());
    course::check_launch();
  });
  outcome.c = device_c.to_host();
  return outcome;
}

}  // namespace course_test
