#pragma once

/// @file
/// Launches, checks and counts the sum that all kernels of the chapter compute.

#include <algorithm>
#include <optional>
#include <vector>

#include "chapters/launch.hpp"
#include "course/backend.hpp"
#include "course/compare.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "kernels_under_test.hpp"

namespace sums {

using course::divide_up;
using course_test::launch;

/// Random A and B, and the right C for an offset.
struct Problem {
  int n, offset;
  std::vector<float> a, b;  // [n]
  std::vector<float> c;     // [n - offset], the expected result
  int count() const { return static_cast<int>(c.size()); }
};

inline Problem make_problem(int n, int offset) {
  Problem problem = {
      n, offset, course::random_floats(n, /*seed=*/6), course::random_floats(n, 66), {}};
  for (int k = offset; k < n; ++k) problem.c.push_back(problem.a[k] + problem.b[k]);
  return problem;
}

struct Outcome {
  std::vector<float> c;  // [n - offset], NaN where nothing was written
  std::optional<course::Counters> counted;
};

/// Launches `blocks` blocks of `threads` threads with a poisoned C; `n` may differ from the
/// problem's.
inline Outcome run(Sum* kernel, const Problem& problem, int n, int blocks, int threads) {
  const course::DeviceBuffer<float> a(problem.a, "A"), b(problem.b, "B");
  course::DeviceBuffer<float> c(problem.c.size(), "C");
  Outcome outcome;
  outcome.counted = course::count([&] {
    if (blocks > 0 && problem.count() > 0)
      launch(kernel, {blocks, threads}, n, problem.offset, a.data(), b.data(), c.data());
    course::check_launch();
  });
  outcome.c = c.to_host();
  return outcome;
}

/// Launches as many blocks as cover C if each thread computes `per_thread` elements.
inline Outcome run(Sum* kernel, const Problem& problem, int per_thread, int threads) {
  return run(kernel, problem, problem.n, divide_up(problem.count(), per_thread * threads), threads);
}

}  // namespace sums
