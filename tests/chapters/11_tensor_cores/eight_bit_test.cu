/// Tests that the steps with 8-bit floats are right and cost what their documentation says.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "digest.hpp"
#include "eight_bit_matrices.hpp"
#include "short_matrices.hpp"
#include "tensor_ladder.hpp"

namespace tensor_test {
namespace {

using eight_bit_matrices::Scaling;
using inputs::Kind;

struct EightBitStep {
  std::string file;
  EightBitLaunch* launch;
  Scaling scaling;

  std::string name() const { return sgemm_test::Step{file, nullptr}.name(); }
  bool is_tested() const { return tensor_test::is_tested({file, nullptr}); }
};

std::vector<EightBitStep> eight_bit_steps() {
  const Kernels kernels = kernels_under_test();
  std::vector<EightBitStep> all = {
      {"steps/20_short_sums", kernels.short_sums, Scaling::matrix},
      {"steps/21_promoted_sums", kernels.promoted_sums, Scaling::matrix},
      {"steps/22_block_scales", kernels.block_scales, Scaling::blocks}};
  for (EightBitStep& one : all) one.file = "11_tensor_cores/" + one.file;
  return all;
}

void for_each_eight_bit(const std::function<void(const EightBitStep&)>& check) {
  for (const EightBitStep& step : eight_bit_steps())
    if (step.is_tested()) check(step);
}

struct EightBitResult {
  std::vector<float> c;
  course::Counters counted;
};

EightBitResult run(const EightBitStep& step, const eight_bit_matrices::Problem& problem,
                   int multiprocessors = 132) {
  const auto& [m, n, k] = problem.floats.size;
  const course::DeviceBuffer<__nv_fp8_e4m3> a(problem.a, "A"), b(problem.b, "B");
  const course::DeviceBuffer<float> scale_a(problem.scale_a, "the scales of A"),
      scale_b(problem.scale_b, "the scales of B");
  course::DeviceBuffer<__nv_bfloat16> c(problem.floats.c.size(), "C");
  EightBitResult result;
  const auto counted = course::count([&] {
    step.launch(
        {m, n, k, a.data(), b.data(), scale_a.data(), scale_b.data(), c.data(), multiprocessors},
        nullptr);
    course::check_launch();
  });
  if (counted) result.counted = *counted;
  result.c = short_matrices::widened(c.to_host());
  return result;
}

/// Checks that every element is exact except for rounding to 8 bits and for the bits beyond 14 that
/// are cut off: a thousandth of the sum of the products' absolute values.
void check_elements(const eight_bit_matrices::Problem& problem, const std::vector<float>& c) {
  const auto& [m, n, k] = problem.floats.size;
  REQUIRE(c.size() == problem.floats.expected.size());
  int wrong = 0;
  std::vector<double> magnitudes(n);  // sums of absolute values in a row
  for (int row = 0; row < m; ++row) {
    std::ranges::fill(magnitudes, 0.0);
    for (int p = 0; p < k; ++p) {
      const double a = problem.floats.a[static_cast<std::size_t>(row) * k + p];
      const float* const b = &problem.floats.b[static_cast<std::size_t>(p) * n];
      for (int col = 0; col < n; ++col) magnitudes[col] += std::abs(a * b[col]);
    }
    for (int col = 0; col < n; ++col) {
      const std::size_t i = static_cast<std::size_t>(row) * n + col;
      const double exact = problem.floats.expected[i];
      wrong += !(std::abs(c[i] - exact) <= 0x1p-8 * std::abs(exact) + 0x1p-10 * magnitudes[col]);
    }
  }
  CHECK(wrong == 0);
}

EightBitResult check_step(const EightBitStep& step, const SgemmSize& size,
                          int multiprocessors = 132) {
  CAPTURE(step.file);
  CAPTURE(size);
  CAPTURE(multiprocessors);
  const auto problem = eight_bit_matrices::make(Kind::even, size, step.scaling, /*seed=*/8);
  EightBitResult result = run(step, problem, multiprocessors);
  check_elements(problem, result.c);
  return result;
}

}  // namespace

TEST_CASE("every step with 8-bit floats is right at and around the edges of its tiles") {
  for_each_eight_bit([](const EightBitStep& step) {
    for (const SgemmSize& size :
         {SgemmSize{1, 8, 16}, SgemmSize{65, 64, 144}, SgemmSize{127, 136, 128},
          SgemmSize{1, 264, 16}, SgemmSize{257, 8, 272}})
      check_step(step, size);
  });
}

TEST_CASE("every step with 8-bit floats does nothing for an empty C, and stores sums of nothing") {
  for_each_eight_bit([](const EightBitStep& step) {
    for (const SgemmSize& size : {SgemmSize{0, 0, 0}, SgemmSize{0, 8, 16}, SgemmSize{9, 0, 16}})
      check_step(step, size);
    check_step(step, {33, 72, 0});
  });
}

TEST_CASE("blocks go from tile to tile of 8-bit floats, through the whole ring and again") {
  for_each_eight_bit([](const EightBitStep& step) {
    check_step(step, {129, 264, 656}, 1);
    check_step(step, {300, 264, 656}, 3);
    check_step(step, {512, 256, 400}, 2);  // with tall tiles
  });
}

TEST_CASE("blocks whose numbers are far from one another have scales of their own") {
  for_each_eight_bit([](const EightBitStep& step) {
    if (step.scaling != Scaling::blocks) return;
    struct Case {
      SgemmSize size;
      int multiprocessors;
    };
    // A narrow tile, tall ones, and a broad one, whose columns have two scales of B.
    for (const auto& [size, multiprocessors] :
         {Case{{65, 136, 272}, 132}, Case{{256, 256, 272}, 2}, Case{{128, 192, 272}, 1}}) {
      CAPTURE(step.file);
      CAPTURE(size);
      course::SgemmProblem floats = inputs::make(Kind::even, size, /*seed=*/9);
      for (int p = 0; p < size.k; ++p) {
        for (int row = 0; row < size.m; ++row)
          floats.a[std::size_t(row) * size.k + p] *= std::ldexp(1.0f, row % 3 + p / 128);
        for (int col = 0; col < size.n; ++col)
          floats.b[std::size_t(p) * size.n + col] *= std::ldexp(1.0f, col / 128 - 2 * (p / 128));
      }
      const auto problem = eight_bit_matrices::rounded(std::move(floats), step.scaling);
      check_elements(problem, run(step, problem, multiprocessors).c);
    }
  });
}

TEST_CASE(
    "every counter that the documentation of a step with 8-bit floats names is what it says") {
  if (!course::backend().reports_counters) return;
  for_each_eight_bit([](const EightBitStep& step) {
    CAPTURE(step.file);
    const bool is_short = step.name() == "short_sums";
    const SgemmSize size = {256, 512, 384};
    std::vector<sgemm_test::Expectation> of_kernel;
    for (const sgemm_test::Expectation& one : sgemm_test::expectations_of(step.file))
      if (one.kernel == "gemm") of_kernel.push_back(one);
    CHECK(of_kernel.size() >= 3);
    const course::Counters counted = check_step(step, size).counted;
    const sgemm_test::Names names = {{"m", size.m},
                                     {"n", size.n},
                                     {"k", size.k},
                                     {"kTileM", 128},
                                     {"kTileN", is_short ? 256 : 64}};
    sgemm_test::check_counters(of_kernel, names, [&](const std::string& name) {
      return course::counter(counted, name).value();
    });
  });
}

TEST_CASE("tiles of 8-bit floats are as large as leaves no multiprocessor without work") {
  if (!course::backend().reports_counters) return;
  for_each_eight_bit([](const EightBitStep& step) {
    if (step.name() == "short_sums") return;
    struct Case {
      SgemmSize size;
      int multiprocessors, tile_m, tile_n;
    };
    for (const auto& [size, multiprocessors, tile_m, tile_n] :
         {Case{{256, 256, 128}, 2, 256, 128}, Case{{128, 384, 128}, 2, 128, 192},
          Case{{256, 256, 128}, 4, 128, 128}, Case{{256, 256, 128}, 8, 128, 64}}) {
      const course::Counters counted = check_step(step, size, multiprocessors).counted;
      CHECK(course::counter(counted, "bulk_copies").value() ==
            2.0 * size.m * size.n / (tile_m * tile_n));
    }
  });
}

TEST_CASE("every step with 8-bit floats returns what it returned on an H100") {
  constexpr std::uint64_t kSeed = 1;  // the program's default
  struct Case {
    SgemmSize size;
    const char *short_sums, *promoted_sums, *block_scales;
  };
  for (const Case& one :
       {Case{{200, 200, 208}, "e8f1dfefa1283825", "1c048d3b0a293825", "3e8802b48ddd3825"},
        Case{{257, 264, 400}, "4ab61ecc8718edc5", "9b1ca604dd40edc5", "7c716e58ffcdedc5"}})
    for_each_eight_bit([&](const EightBitStep& step) {
      CAPTURE(step.file);
      CAPTURE(one.size);
      const auto problem = eight_bit_matrices::make(Kind::even, one.size, step.scaling, kSeed);
      const std::string name = step.name();
      CHECK(digest_of(run(step, problem).c) == (name == "short_sums"      ? one.short_sums
                                                : name == "promoted_sums" ? one.promoted_sums
                                                                          : one.block_scales));
    });
}

TEST_CASE("sums of 14 bits stand still where promoted ones go on") {
  // 1 + 2^-14 + 2^-14 + ...: the sum is so large that no later product changes it.
  const SgemmSize size = {1, 8, 4096};
  eight_bit_matrices::Problem problem{.floats = course::make_sgemm_problem(size, /*seed=*/1),
                                      .a = {},
                                      .b = {},
                                      .scale_a = {1.0f},
                                      .scale_b = {1.0f}};
  problem.a.assign(size.k, __nv_fp8_e4m3(0x1p-7f));
  problem.b.assign(static_cast<std::size_t>(size.n) * size.k, __nv_fp8_e4m3(0x1p-7f));
  problem.a[0] = __nv_fp8_e4m3(1.0f);
  for (int col = 0; col < size.n; ++col)
    problem.b[static_cast<std::size_t>(col) * size.k] = __nv_fp8_e4m3(1.0f);
  for_each_eight_bit([&](const EightBitStep& step) {
    if (step.scaling == Scaling::blocks) return;
    CAPTURE(step.file);
    // A promoted sum only loses products of the first panel.
    const float expected = step.name() == "short_sums" ? 1.0f : 1.0f + (4096 - 128) * 0x1p-14f;
    for (const float c : run(step, problem).c)
      CHECK(c == short_matrices::widened(short_matrices::rounded({expected})).front());
  });
}

TEST_CASE("NaN in one place reaches its row and its column of 8-bit floats, and no other") {
  for_each_eight_bit([](const EightBitStep& step) {
    CAPTURE(step.file);
    const SgemmSize size = {130, 136, 144};
    auto problem = eight_bit_matrices::make(Kind::even, size, step.scaling, /*seed=*/3);
    constexpr int kRow = 129, kCol = 135, kAt = 143;
    problem.a[static_cast<std::size_t>(kRow) * size.k + kAt] =
        __nv_fp8_e4m3(std::numeric_limits<float>::quiet_NaN());
    problem.b[static_cast<std::size_t>(kCol) * size.k + kAt] =
        __nv_fp8_e4m3(std::numeric_limits<float>::quiet_NaN());
    const std::vector<float> c = run(step, problem).c;
    int wrong = 0;
    for (int row = 0; row < size.m; ++row)
      for (int col = 0; col < size.n; ++col)
        wrong += std::isnan(c[static_cast<std::size_t>(row) * size.n + col]) !=
                 (row == kRow || col == kCol);
    CHECK(wrong == 0);
  });
}

}  // namespace tensor_test
