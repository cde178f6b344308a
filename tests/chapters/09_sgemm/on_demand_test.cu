/// Tests that a product requested by a word in memory is right, and that nothing happens without
/// the request.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "chapters/sgemm_expectations.hpp"
#include "course/backend.hpp"
#include "ladder.hpp"

using sgemm_test::check_step;
using sgemm_test::Outcome;
using sgemm_test::SgemmSize;
using sgemm_test::Shared;
using sgemm_test::Step;

namespace {

constexpr std::size_t kWordAt = 4 * last_block::kMostBlocks;  // after the counters of all steps

constexpr Shared kEightTiles = {{512, 512, 64}};      // of 128 x 256
constexpr Shared kWholeTiles = {{370, 120, 68}};      // 6 of 128 x 64
constexpr Shared kSplitTiles = {{370, 192, 472}};     // 9 of 128 x 64, all split
constexpr Shared kSplitLarge = {{250, 261, 605}, 3};  // 4 of 128 x 256; A and B have to be copied
constexpr Shared kManyLarge = {{890, 60, 604}, 3};    // 7 of 128 x 256: 3 whole, 4 split

}  // namespace

TEST_CASE("on_demand is right with whole tiles and with split ones, at odd sizes too") {
  const Step step = sgemm_test::on_demand();
  if (!sgemm_test::is_tested(step)) return;
  for (const auto& [size, multiprocessors] :
       {Shared{{1, 1, 1}}, Shared{{33, 31, 65}}, Shared{{127, 129, 33}}, Shared{{1, 257, 34}},
        kEightTiles, kWholeTiles, kSplitTiles, kSplitLarge, kManyLarge})
    check_step(step, size, 1.5f, 0.5f, {}, {.multiprocessors = multiprocessors});
  sgemm_test::check_nothing_to_do(step);
  sgemm_test::check_layouts(step, 36);
  sgemm_test::check_factors(step);
}

TEST_CASE("on_demand takes a workspace as products of other shapes have left it") {
  const Step step = sgemm_test::on_demand();
  if (!sgemm_test::is_tested(step)) return;
  course::DeviceBuffer<float> workspace;
  const std::vector<Shared> products = {
      kSplitTiles, {{33, 31, 565}}, kSplitLarge, kWholeTiles, kSplitTiles};
  std::size_t floats = 0;
  for (const auto& [size, multiprocessors] : products) {
    Sgemm s = {};
    s.m = size.m;
    s.n = s.ldb = s.ldc = size.n;
    s.k = s.lda = size.k;
    s.alpha = 1.0f;
    s.multiprocessors = multiprocessors;
    floats = std::max(floats, step.workspace_floats(s));
  }
  workspace = sgemm_test::workspace_of(floats);
  for (const auto& [size, multiprocessors] : products)
    check_step(step, size, 1.5f, 0.5f, {},
               {.multiprocessors = multiprocessors, .kept = &workspace});
}

TEST_CASE("on_demand takes the larger tile where there are enough of them") {
  const Step step = sgemm_test::on_demand();
  if (!course::backend().reports_counters || !sgemm_test::is_tested(step)) return;
  const auto& [size, multiprocessors] = kEightTiles;
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8);
  const Outcome outcome = sgemm_test::run(step, problem, {}, {.multiprocessors = multiprocessors});
  const auto expectations = sgemm_test::expectations_of(step.file);
  CHECK(expectations.size() == 2);
  sgemm_test::check_counters(
      expectations,
      {{"m", size.m},
       {"n", size.n},
       {"k", size.k},
       {"kTileM", 128},
       {"kTileN", 256},
       {"kPanel", 32}},
      [&](const std::string& name) { return course::counter(*outcome.counted, name).value(); });
}

TEST_CASE("on_demand leaves everything as it is where nobody asks for the product") {
  const Step step = sgemm_test::on_demand();
  if (!sgemm_test::is_tested(step)) return;
  for (const auto& [size, multiprocessors] : {kSplitTiles, kSplitLarge}) {
    const auto problem = course::make_sgemm_problem(size, /*seed=*/8, 1.5f, 0.5f);
    Sgemm s = {};
    s.m = size.m;
    s.n = s.ldb = s.ldc = size.n;
    s.k = s.lda = size.k;
    s.alpha = problem.alpha;
    s.multiprocessors = multiprocessors;
    std::vector<float> before(step.workspace_floats(s), 0.0f);
    before[kWordAt] = 1.0f;  // any nonzero bits
    course::DeviceBuffer<float> workspace(before, "the workspace");
    std::vector<float> after;
    const Outcome outcome = sgemm_test::run(
        step, problem, {},
        {.multiprocessors = multiprocessors, .workspace = &after, .kept = &workspace});
    CHECK(outcome.c == problem.c);
    CHECK(after == before);
    if (outcome.counted) CHECK(outcome.counted->bulk.copies == 0);
  }
}
