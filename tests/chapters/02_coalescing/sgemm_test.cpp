/// Checks what chapters/02_coalescing/README.md says of the SGEMM kernels.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/matrices.hpp"
#include "chapters/request_model.hpp"
#include "chapters/size_text.hpp"
#include "course/backend.hpp"
#include "course/divide_up.hpp"
#include "course/sgemm_check.hpp"
#include "kernels_under_test.hpp"

using course::SgemmSize;
using course_test::kWarpSize;
using course_test::launch;
using course_test::Outcome;
using course_test::RequestModel;

namespace {

using course::divide_up;

/// A kernel, its launch, and the element of C that each thread of a block computes.
struct Variant {
  const char* name;
  std::function<void(SgemmSize, int block, float alpha, const float* a, const float* b, float beta,
                     float* c)>
      launch;
  bool x_is_row;
};

const Variant kNaive = {
    "sgemm_naive",
    [](SgemmSize s, int block, float alpha, const float* a, const float* b, float beta, float* c) {
      const dim3 grid(divide_up(s.m, block), divide_up(s.n, block));
      launch(kernels_under_test().sgemm_naive, {grid, dim3(block, block)}, s.m, s.n, s.k, alpha, a,
             b, beta, c);
    },
    true};

const Variant kCoalesced = {
    "sgemm_coalesced",
    [](SgemmSize s, int block, float alpha, const float* a, const float* b, float beta, float* c) {
      const dim3 grid(divide_up(s.n, block), divide_up(s.m, block));
      launch(kernels_under_test().sgemm_coalesced, {grid, block * block}, s.m, s.n, s.k, alpha, a,
             b, beta, c, block);
    },
    false};

const Variant kCoalesced2d = {
    "sgemm_coalesced_2d",
    [](SgemmSize s, int block, float alpha, const float* a, const float* b, float beta, float* c) {
      const dim3 grid(divide_up(s.n, block), divide_up(s.m, block));
      launch(kernels_under_test().sgemm_coalesced_2d, {grid, dim3(block, block)}, s.m, s.n, s.k,
             alpha, a, b, beta, c);
    },
    false};

Outcome run(const Variant& variant, const course::SgemmProblem& problem, int block) {
  const SgemmSize s = problem.size;
  return course_test::multiply(problem.a, problem.b, problem.c,
                               [&](const float* a, const float* b, float* c) {
                                 if (s.m == 0 || s.n == 0) return;
                                 variant.launch(s, block, problem.alpha, a, b, problem.beta, c);
                               });
}

/// Returns a variant's loads according to the rules of coalescing, warp by warp.
course::GlobalCounters expected_loads(const Variant& variant, SgemmSize s, int block,
                                      bool reads_c) {
  RequestModel model;
  const int threads = block * block;
  for (int tile_row = 0; tile_row < s.m; tile_row += block) {
    for (int tile_col = 0; tile_col < s.n; tile_col += block) {
      for (int first = 0; first < threads; first += kWarpSize) {
        std::vector<std::int64_t> rows, cols, of_a, of_b, of_c;
        for (int thread = first; thread < first + kWarpSize && thread < threads; ++thread) {
          const int x = thread % block, y = thread / block;
          const int row = tile_row + (variant.x_is_row ? x : y);
          const int col = tile_col + (variant.x_is_row ? y : x);
          if (row >= s.m || col >= s.n) continue;
          rows.push_back(row);
          cols.push_back(col);
        }
        for (int p = 0; p < s.k; ++p) {
          of_a.clear();
          of_b.clear();
          for (std::size_t i = 0; i < rows.size(); ++i) {
            of_a.push_back(rows[i] * s.k + p);
            of_b.push_back(std::int64_t(p) * s.n + cols[i]);
          }
          model.request(of_a, sizeof(float));
          model.request(of_b, sizeof(float));
        }
        for (std::size_t i = 0; i < rows.size(); ++i) of_c.push_back(rows[i] * s.n + cols[i]);
        if (reads_c) model.request(of_c, sizeof(float));
      }
    }
  }
  return model.counters();
}

void check_variant(const Variant& variant, SgemmSize size, int block, float alpha, float beta) {
  CAPTURE(variant.name);
  CAPTURE(size);
  CAPTURE(block);
  CAPTURE(alpha);
  CAPTURE(beta);
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8, alpha, beta);
  const Outcome outcome = run(variant, problem, block);
  CHECK(course::check_sgemm(problem, outcome.c).failure == "");
  if (outcome.counted)
    CHECK(outcome.counted->global_load ==
          expected_loads(variant, size, block, /*reads_c=*/beta != 0.0f));
}

void check_at_sizes(const Variant& variant) {
  const std::vector<SgemmSize> sizes = {{0, 0, 0},    {0, 5, 3},    {5, 0, 3},    {5, 3, 0},
                                        {1, 1, 1},    {32, 32, 32}, {31, 31, 31}, {33, 33, 33},
                                        {64, 32, 48}, {33, 31, 65}, {1, 100, 7},  {100, 1, 7},
                                        {1, 1, 200},  {70, 5, 40},  {5, 70, 40}};
  for (const SgemmSize& size : sizes) check_variant(variant, size, kWarpSize, 1.5f, 0.5f);
  for (const int block : {1, 3, 8, 16}) check_variant(variant, {33, 20, 17}, block, 1.0f, 2.0f);
  check_variant(variant, {33, 31, 20}, kWarpSize, -2.0f, 1.0f);
  check_variant(variant, {33, 31, 20}, kWarpSize, 0.0f, 0.5f);
}

/// Checks that beta = 0 leaves C unread: make_sgemm_problem() fills it with NaN.
void check_beta_zero(const Variant& variant) {
  for (const SgemmSize& size : {SgemmSize{33, 31, 20}, SgemmSize{4, 5, 0}}) {
    const auto problem = course::make_sgemm_problem(size, /*seed=*/8, 1.5f, 0.0f);
    for (const float before : problem.c) REQUIRE(std::isnan(before));
    check_variant(variant, size, kWarpSize, 1.5f, 0.0f);
  }
}

}  // namespace

TEST_CASE("sgemm_naive is right at and around the block edge, at the sectors that the rules give") {
  check_at_sizes(kNaive);
}

TEST_CASE("sgemm_coalesced is right at and around the block edge, at the sectors of the rules") {
  check_at_sizes(kCoalesced);
}

TEST_CASE("sgemm_coalesced_2d is right at and around the block edge, at the sectors of the rules") {
  check_at_sizes(kCoalesced2d);
}

TEST_CASE("sgemm_naive does not read C if beta is 0") { check_beta_zero(kNaive); }

TEST_CASE("sgemm_coalesced does not read C if beta is 0") { check_beta_zero(kCoalesced); }

TEST_CASE("sgemm_coalesced_2d does not read C if beta is 0") { check_beta_zero(kCoalesced2d); }

TEST_CASE("per warp and p: 33 sectors walking down a column of C, 5 along a row, in two requests") {
  const auto problem = course::make_sgemm_problem({32, 32, 64}, /*seed=*/8);  // beta is 0
  constexpr unsigned kWarps = 32, kSteps = 64;
  const auto naive = run(kNaive, problem, kWarpSize).counted;
  const auto coalesced = run(kCoalesced, problem, kWarpSize).counted;
  if (!naive || !coalesced) return;

  CHECK(naive->global_load.requests == 2 * kWarps * kSteps);
  CHECK(naive->global_load.sectors == 33 * kWarps * kSteps);
  CHECK(coalesced->global_load.requests == 2 * kWarps * kSteps);
  CHECK(coalesced->global_load.sectors == 5 * kWarps * kSteps);
  // Stores of the result: for a warp, a column of C has 32 sectors, a row 4.
  CHECK(naive->global_store.sectors == 32 * kWarps);
  CHECK(coalesced->global_store.sectors == 4 * kWarps);
}

TEST_CASE("512 x 512 x 512 with beta not 0: the counts that Nsight Compute gives on an H200") {
  if (!course::backend().reports_counters) return;
  const auto problem = course::make_sgemm_problem({512, 512, 512}, /*seed=*/8, 1.0f, 0.5f);
  const auto naive = run(kNaive, problem, kWarpSize).counted->global_load;
  const auto coalesced = run(kCoalesced, problem, kWarpSize).counted->global_load;

  CHECK(naive.requests == 8396800);
  CHECK(naive.sectors == 138674176);
  CHECK(naive.efficiency_pct() == 12.5);
  CHECK(coalesced.requests == 8396800);
  CHECK(coalesced.sectors == 21004288);
  CHECK(coalesced.efficiency_pct().value() == doctest::Approx(82.53).epsilon(0.0001));
}

TEST_CASE("the two-dimensional block is the same mapping: equal output, equal counters") {
  for (const int block : {5, 8, 16, 32}) {
    for (const SgemmSize& size : {SgemmSize{64, 64, 64}, SgemmSize{33, 65, 31}}) {
      CAPTURE(block);
      const auto problem = course::make_sgemm_problem(size, /*seed=*/8, 1.5f, 0.5f);
      const Outcome one = run(kCoalesced, problem, block);
      const Outcome two = run(kCoalesced2d, problem, block);
      CHECK(one.c == two.c);
      CHECK(one.counted == two.counted);
    }
  }
}

TEST_CASE("a warp along a column or along a row: equal output, to the last bit") {
  for (const SgemmSize& size : {SgemmSize{64, 64, 64}, SgemmSize{33, 65, 31}}) {
    CAPTURE(size);
    const auto problem = course::make_sgemm_problem(size, /*seed=*/8, 1.5f, 0.5f);
    CHECK(run(kNaive, problem, kWarpSize).c == run(kCoalesced2d, problem, kWarpSize).c);
  }
}
