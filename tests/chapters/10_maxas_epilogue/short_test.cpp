/// Tests that the epilogues with bfloat16 are right and cost what the README and their
/// documentation say.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "chapters/sgemm_expectations.hpp"
#include "chapters/size_text.hpp"
#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "kernels_under_test.hpp"
#include "layers.hpp"

using course::SgemmSize;

namespace {

struct ShortStep {
  std::string file;
  LayerLaunch* launch;
  bool adds_bias = false;
};

std::vector<ShortStep> short_steps() {
  const Kernels kernels = kernels_under_test();
  const std::string folder = "10_maxas_epilogue/steps/";
  return {{folder + "05_matrices", kernels.matrices},
          {folder + "06_bulk", kernels.bulk},
          {folder + "07_two_kernels", kernels.two_kernels, true},
          {folder + "08_fused", kernels.fused, true}};
}

bool is_tested(const ShortStep& step) {
  constexpr int kHopper = 9;
  return !sgemm_test::is_another_mutated(step.file) &&
         course::current_device().compute_major >= kHopper;
}

template <class Check>
void for_each(Check check) {
  for (const ShortStep& step : short_steps())
    if (is_tested(step)) check(step);
}

struct Result {
  std::vector<float> c;
  course::Counters counted;
};

Result run(const ShortStep& step, const layers::Problem& problem) {
  const auto& [m, n, k] = problem.product.floats.size;
  const course::DeviceBuffer<__nv_bfloat16> a(problem.product.a, "A"), b(problem.product.b, "B");
  const course::DeviceBuffer<float> bias(problem.bias, "bias");
  course::DeviceBuffer<__nv_bfloat16> c(std::size_t(m) * n, "C");
  Result result;
  const auto counted = course::count([&] {
    step.launch({.product = {m, n, k, a.data(), b.data(), c.data()}, .bias = bias.data()}, nullptr);
    course::check_launch();
  });
  if (counted) result.counted = *counted;
  result.c = short_matrices::widened(c.to_host());
  return result;
}

/// Checks that every element is exact except for rounding to 8 bits (twice if it is stored in
/// between) and fp32's roundings on the way.
Result check_step(const ShortStep& step, const SgemmSize& size) {
  CAPTURE(step.file);
  CAPTURE(size);
  const layers::Problem problem = layers::make(size, /*seed=*/8);
  Result result = run(step, problem);
  const double sums = course::sgemm_tolerance(size.k).absolute + course::kFloatRounding;
  int wrong = 0;
  for (std::size_t i = 0; i < result.c.size(); ++i) {
    const double product = problem.product.floats.expected[i], bias = problem.bias[i % size.n];
    const double exact = step.adds_bias ? std::max(0.0, product + bias) : product;
    const double rounded = std::abs(exact) + (step.adds_bias ? std::abs(product) : 0.0);
    wrong += !(std::abs(result.c[i] - exact) <= 0x1p-8 * rounded + sums);
  }
  CHECK(wrong == 0);
  return result;
}

}  // namespace

TEST_CASE("every epilogue of bfloat16 is right at and around the edges of boxes and tiles") {
  for_each([](const ShortStep& step) {
    for (const SgemmSize& size :
         {SgemmSize{1, 8, 8}, SgemmSize{31, 32, 16}, SgemmSize{33, 40, 24}, SgemmSize{65, 64, 72},
          SgemmSize{127, 136, 64}, SgemmSize{129, 128, 8}, SgemmSize{1, 264, 8},
          SgemmSize{257, 8, 40}})
      check_step(step, size);
  });
}

TEST_CASE("every epilogue of bfloat16 does nothing for an empty C, and stores sums of nothing") {
  for_each([](const ShortStep& step) {
    for (const SgemmSize& size : {SgemmSize{0, 0, 0}, SgemmSize{0, 8, 16}, SgemmSize{9, 0, 16}})
      check_step(step, size);
    check_step(step, {33, 72, 0});
  });
}

TEST_CASE("a layer has no negative element, and zeros where the bias does not reach above") {
  for_each([](const ShortStep& step) {
    if (!step.adds_bias) return;
    CAPTURE(step.file);
    layers::Problem problem = layers::make({40, 48, 16}, /*seed=*/8);
    for (float& one : problem.bias) one = -100.0f;
    for (const float value : run(step, problem).c) CHECK(value == 0.0f);
  });
}

TEST_CASE("every counter that the documentation of an epilogue of bfloat16 names is what it says") {
  if (!course::backend().reports_counters) return;
  const SgemmSize size = {256, 384, 64};
  for_each([&](const ShortStep& step) {
    CAPTURE(step.file);
    const course::Counters counted = check_step(step, size).counted;
    const auto promised = sgemm_test::expectations_of(step.file);
    CHECK(promised.size() >= 2);
    // One of two kernels adds a bias afterwards.
    course::Counters others;
    if (step.file.ends_with("two_kernels")) others = check_step(short_steps().at(1), size).counted;
    sgemm_test::check_counters(promised, {{"m", size.m}, {"n", size.n}, {"k", size.k}},
                               [&](const std::string& name) {
                                 return course::counter(counted, name).value() -
                                        course::counter(others, name).value_or(0.0);
                               });
  });
}

TEST_CASE("stmatrix has no bank conflicts, and 16-byte stores use all of every sector") {
  if (!course::backend().reports_counters) return;
  for_each([](const ShortStep& step) {
    const SgemmSize size = {128, 128, 0};  // with k = 0 there is no main loop
    const course::Counters counted = check_step(step, size).counted;
    CHECK(counted.shared_store.requests == std::uint64_t(size.m) * size.n / 256);
    CHECK(counted.shared_store.wavefronts == counted.shared_store.wavefronts_ideal);
    CHECK(counted.shared_load.wavefronts == counted.shared_load.wavefronts_ideal);
    if (counted.global_store.requests > 0)
      CHECK(counted.global_store.efficiency_pct() == 100.0);
    else
      CHECK(counted.bulk_store.copies == std::uint64_t(size.m) * size.n / 1024);
  });
}
