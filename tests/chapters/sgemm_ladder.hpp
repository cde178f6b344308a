#pragma once

/// @file
/// Launches all steps of a ladder uniformly, on matrices anywhere in memory.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../../chapters/09_sgemm/steps/problem.cuh"
#include "chapters/matrices.hpp"
#include "chapters/sgemm_expectations.hpp"
#include "chapters/size_text.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/sgemm_check.hpp"

namespace sgemm_test {

using course::SgemmProblem;
using course::SgemmSize;
using course_test::laid_out;
using course_test::Layout;
using course_test::Outcome;

struct Step {
  std::string file;  ///< without extension, as in "09_sgemm/steps/01_naive"
  void (*launch)(const Sgemm& s, cudaStream_t stream);
  std::size_t (*workspace_floats)(const Sgemm& s) = nullptr;  ///< null: the step has no workspace
  double tolerance_factor = 1.0;                              ///< relative to fp32's

  std::string name() const { return name_of_step(file); }
};

/// Returns whether a mutant of another step is tested.
inline bool is_another_mutated(const Step& step) { return is_another_mutated(step.file); }

/// The number of multiprocessors and of runs on the same C.
struct Effort {
  int multiprocessors = 132;
  int launches = 1;
  std::vector<float>* workspace = nullptr;      ///< receives the workspace's final contents
  course::DeviceBuffer<float>* kept = nullptr;  ///< the workspace; null: zeros for each run
};

/// Returns an upper bound of the workspace for a product's split tiles, in floats.
inline std::size_t pieces_floats(const Sgemm& s) {
  using course::divide_up;
  // Smaller tiles exceed C less at its edges, and an SM does not hold more of them.
  constexpr int kMostTileM = 128, kMostTileN = 256, kLeastPanel = 32;
  const std::size_t tiles = std::size_t(divide_up(s.m, kMostTileM)) * divide_up(s.n, kMostTileN);
  const std::size_t blocks =
      std::min<std::size_t>(s.multiprocessors, tiles * divide_up(s.k, kLeastPanel));
  return 2 * blocks * kMostTileM * kMostTileN;
}

/// Returns a workspace in its initial state.
inline course::DeviceBuffer<float> workspace_of(std::size_t floats) {
  return course::DeviceBuffer<float>(std::vector<float>(floats), "the workspace");
}

/// Runs a step; the counters are the last launch's.
inline Outcome run(const Step& step, const SgemmProblem& problem, const Layout& layout = {},
                   const Effort& effort = {}) {
  const auto [m, n, k] = problem.size;
  Sgemm s = {.m = m,
             .n = n,
             .k = k,
             .alpha = problem.alpha,
             .A = nullptr,
             .lda = k + layout.gap,
             .B = nullptr,
             .ldb = n + layout.gap,
             .beta = problem.beta,
             .C = nullptr,
             .ldc = n + layout.gap,
             .multiprocessors = effort.multiprocessors};
  course::DeviceBuffer<float> own;
  if (effort.kept == nullptr)
    own = workspace_of(step.workspace_floats != nullptr ? step.workspace_floats(s) : 0);
  course::DeviceBuffer<float>& workspace = effort.kept != nullptr ? *effort.kept : own;
  s.workspace = workspace.data();
  const auto launch = [&](const float* a, const float* b, float* c) {
    s.A = a + layout.offset;
    s.B = b + layout.offset;
    s.C = c + layout.offset;
    step.launch(s, nullptr);
  };
  Outcome outcome;
  for (int i = 0; i < effort.launches; ++i)
    outcome =
        course_test::multiply(laid_out(problem.a, m, k, layout), laid_out(problem.b, k, n, layout),
                              laid_out(problem.c, m, n, layout), launch)
            .dense(m, n, layout);
  outcome.gaps_intact = outcome.gaps_intact && workspace.guards_intact();
  if (effort.workspace != nullptr) *effort.workspace = workspace.to_host();
  return outcome;
}

/// Returns random matrices, and the step's tolerance.
inline SgemmProblem problem_for(const Step& step, const SgemmSize& size, float alpha = 1.0f,
                                float beta = 0.0f) {
  SgemmProblem problem = course::make_sgemm_problem(size, /*seed=*/8, alpha, beta);
  problem.tolerance_factor = step.tolerance_factor;
  return problem;
}

inline Outcome check_step(const Step& step, const SgemmSize& size, float alpha, float beta,
                          const Layout& layout = {}, const Effort& effort = {}) {
  CAPTURE(step.file);
  CAPTURE(size);
  CAPTURE(alpha);
  CAPTURE(beta);
  CAPTURE(layout.gap);
  CAPTURE(layout.offset);
  CAPTURE(effort.multiprocessors);
  const SgemmProblem problem = problem_for(step, size, alpha, beta);
  Outcome outcome = run(step, problem, layout, effort);
  CHECK(course::check_sgemm(problem, outcome.c).failure == "");
  CHECK(outcome.gaps_intact);
  return outcome;
}

/// Checks products of several shapes in one workspace, in this order and in reverse.
inline void check_one_workspace(const Step& step, std::vector<SgemmSize> sizes,
                                int multiprocessors) {
  std::size_t floats = 0;
  for (const auto& [m, n, k] : sizes)
    floats = std::max(floats, step.workspace_floats({.m = m,
                                                     .n = n,
                                                     .k = k,
                                                     .alpha = 1.0f,
                                                     .A = nullptr,
                                                     .lda = k,
                                                     .B = nullptr,
                                                     .ldb = n,
                                                     .beta = 0.0f,
                                                     .C = nullptr,
                                                     .ldc = n,
                                                     .multiprocessors = multiprocessors}));
  course::DeviceBuffer<float> workspace = workspace_of(floats);
  for (const int direction : {0, 1}) {
    CAPTURE(direction);
    for (const SgemmSize& size : sizes)
      check_step(step, size, 1.5f, 0.5f, {},
                 {.multiprocessors = multiprocessors, .kept = &workspace});
    std::reverse(sizes.begin(), sizes.end());
  }
}

/// Checks an empty C, and k = 0.
inline void check_nothing_to_do(const Step& step) {
  for (const SgemmSize& size : {SgemmSize{0, 0, 0}, SgemmSize{0, 31, 33}, SgemmSize{31, 0, 33}})
    check_step(step, size, 1.5f, 0.5f);
  check_step(step, {33, 65, 0}, 1.5f, 0.5f);
  check_step(step, {33, 65, 0}, 1.5f, 0.0f);
}

/// Checks rows with gaps, and pointers aligned to a float only.
inline void check_layouts(const Step& step, int k) {
  for (const int gap : {1, 4, 7}) check_step(step, {65, 68, k}, 1.0f, 2.0f, {.gap = gap});
  for (const int offset : {1, 3})
    check_step(step, {65, 68, k}, 1.0f, 2.0f, {.gap = 0, .offset = offset});
  check_step(step, {33, 130, 63}, 1.0f, 0.0f, {.gap = 5, .offset = 3});
  check_step(step, {64, 128, 64}, 1.0f, 2.0f, {.gap = 4, .offset = 1});
}

/// Checks alpha and beta: a factor 0 must not read its operand.
inline void check_factors(const Step& step) {
  check_step(step, {70, 33, 40}, -2.0f, 1.0f);
  // make_sgemm_problem() fills C with NaN where beta is 0.
  check_step(step, {70, 33, 40}, 1.5f, 0.0f);
  check_step(step, {67, 130, 9}, 1.5f, 0.0f, {.gap = 1, .offset = 1});
  for (const float beta : {0.0f, 0.5f}) {
    auto problem = problem_for(step, {40, 33, 20}, 0.0f, beta);
    const auto expected = problem;
    problem.a.assign(problem.a.size(), NAN);
    problem.b.assign(problem.b.size(), NAN);
    CHECK(course::check_sgemm(expected, run(step, problem).c).failure == "");
  }
}

}  // namespace sgemm_test
