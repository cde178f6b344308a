/// Tests that the steps with bfloat16 are right and cost what their documentation says.

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "digest.hpp"
#include "short_matrices.hpp"
#include "tensor_ladder.hpp"

namespace tensor_test {
namespace {

struct GemmStep {
  std::string file;
  GemmLaunch* launch;

  std::string name() const { return sgemm_test::Step{file, nullptr}.name(); }
  bool is_tested() const { return tensor_test::is_tested({file, nullptr}); }
};

std::vector<GemmStep> gemm_steps() {
  const Kernels kernels = kernels_under_test();
  std::vector<GemmStep> all = {{"steps/12_warp_products", kernels.warp_products},
                               {"steps/13_group_products", kernels.group_products},
                               {"steps/14_ring", kernels.ring},
                               {"steps/15_wide_tile", kernels.wide_tile},
                               {"steps/16_tile_order", kernels.tile_order},
                               {"steps/17_resident_blocks", kernels.resident_blocks},
                               {"steps/18_bulk_store", kernels.bulk_store},
                               {"steps/19_tile_sizes", kernels.tile_sizes},
                               {"bf16_clusters", kernels.bf16_clusters}};
  for (GemmStep& one : all) one.file = "11_tensor_cores/" + one.file;
  return all;
}

void for_each_gemm(const std::function<void(const GemmStep&)>& check) {
  for (const GemmStep& step : gemm_steps())
    if (step.is_tested()) check(step);
}

struct Result {
  std::vector<float> c;
  course::Counters counted;
};

Result run(const GemmStep& step, const short_matrices::Problem& problem,
           int multiprocessors = 132) {
  const auto& [m, n, k] = problem.floats.size;
  const course::DeviceBuffer<__nv_bfloat16> a(problem.a, "A"), b(problem.b, "B");
  course::DeviceBuffer<__nv_bfloat16> c(problem.floats.c.size(), "C");
  Result result;
  const auto counted = course::count([&] {
    step.launch({m, n, k, a.data(), b.data(), c.data(), multiprocessors}, nullptr);
    course::check_launch();
  });
  if (counted) result.counted = *counted;
  result.c = short_matrices::widened(c.to_host());
  return result;
}

/// Checks that every element is exact except for rounding to 8 bits and fp32's roundings on the
/// way.
void check_elements(const short_matrices::Problem& problem, const std::vector<float>& c) {
  REQUIRE(c.size() == problem.floats.expected.size());
  const double sums = course::sgemm_tolerance(problem.floats.size.k).absolute;
  int wrong = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double exact = problem.floats.expected[i];
    wrong += !(std::abs(c[i] - exact) <= 0x1p-8 * std::abs(exact) + sums);
  }
  CHECK(wrong == 0);
}

Result check_step(const GemmStep& step, const SgemmSize& size, int multiprocessors = 132) {
  CAPTURE(step.file);
  CAPTURE(size);
  CAPTURE(multiprocessors);
  const short_matrices::Problem problem = short_matrices::make(size, /*seed=*/8);
  Result result = run(step, problem, multiprocessors);
  check_elements(problem, result.c);
  return result;
}

}  // namespace

TEST_CASE("every step with bfloat16 is right at and around the edges of its tiles") {
  for_each_gemm([](const GemmStep& step) {
    for (const SgemmSize& size :
         {SgemmSize{1, 8, 8}, SgemmSize{65, 64, 72}, SgemmSize{127, 136, 64}, SgemmSize{1, 264, 8},
          SgemmSize{257, 8, 200}})
      check_step(step, size);
  });
}

TEST_CASE("every step with bfloat16 does nothing for an empty C, and stores sums of nothing") {
  for_each_gemm([](const GemmStep& step) {
    for (const SgemmSize& size : {SgemmSize{0, 0, 0}, SgemmSize{0, 8, 16}, SgemmSize{9, 0, 16}})
      check_step(step, size);
    check_step(step, {33, 72, 0});
  });
}

TEST_CASE("blocks go from tile to tile of bfloat16, through the whole ring and again") {
  for_each_gemm([](const GemmStep& step) {
    check_step(step, {129, 264, 328}, 1);
    check_step(step, {300, 264, 328}, 3);
  });
}

TEST_CASE("every counter that the documentation of a step with bfloat16 names is what it says") {
  if (!course::backend().reports_counters) return;
  for_each_gemm([](const GemmStep& step) {
    const bool has_kernel = step.name() != "wide_tile" && step.name() != "tile_sizes";
    const bool is_narrow = step.name() == "group_products" || step.name() == "ring";
    const int tile_n = step.name() == "tile_sizes" ? 64 : is_narrow ? 128 : 256;
    const SgemmSize size = {256, 512, 192};  // whole tiles, also in pairs
    CAPTURE(step.file);
    std::vector<sgemm_test::Expectation> of_kernel;
    for (const sgemm_test::Expectation& one : sgemm_test::expectations_of(step.file))
      if (one.kernel == (has_kernel ? "gemm" : "launch")) of_kernel.push_back(one);
    CHECK(of_kernel.size() >= 2);
    const course::Counters counted = check_step(step, size).counted;
    const sgemm_test::Names names = {
        {"m", size.m}, {"n", size.n}, {"k", size.k}, {"kTileN", tile_n}};
    sgemm_test::check_counters(of_kernel, names, [&](const std::string& name) {
      return course::counter(counted, name).value();
    });
  });
}

TEST_CASE("every step with bfloat16 returns what it returned on an H100") {
  // All steps add up 16 k at a time, in order.
  constexpr std::uint64_t kSeed = 1;  // the program's default
  struct Case {
    SgemmSize size;
    const char* digest;
  };
  for (const auto& [size, digest] :
       {Case{{200, 200, 200}, "9f1b8cde42983825"}, Case{{257, 264, 392}, "403737b0a300edc5"}}) {
    const short_matrices::Problem problem = short_matrices::make(size, kSeed);
    for_each_gemm([&](const GemmStep& step) {
      CAPTURE(step.file);
      CAPTURE(size);
      CHECK(digest_of(run(step, problem).c) == digest);
    });
  }
}

TEST_CASE("tiles of bfloat16 are as large as leaves no multiprocessor without work") {
  if (!course::backend().reports_counters) return;
  for (const GemmStep& step : gemm_steps()) {
    if (step.name() != "tile_sizes" || !step.is_tested()) continue;
    struct Case {
      SgemmSize size;
      int multiprocessors, tile_n;
    };
    for (const auto& [size, multiprocessors, tile_n] :
         {Case{{256, 256, 64}, 2, 256}, Case{{128, 384, 64}, 1, 192}, Case{{256, 256, 64}, 4, 128},
          Case{{256, 256, 64}, 8, 64}}) {
      const course::Counters counted = check_step(step, size, multiprocessors).counted;
      const double tiles = 1.0 * size.m * size.n / (128.0 * tile_n), boxes = tile_n / 64.0;
      CHECK(course::counter(counted, "bulk_copies").value() == tiles * (1 + boxes));
    }
  }
}

}  // namespace tensor_test
