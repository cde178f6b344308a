/// Step any_shape: each of its tiles, panels that threads copy, vectors.

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "chapters/size_text.hpp"
#include "course/backend.hpp"
#include "ladder.hpp"

using sgemm_test::Effort;
using sgemm_test::Layout;
using sgemm_test::Outcome;
using sgemm_test::SgemmSize;
using sgemm_test::Step;

namespace {

constexpr Layout kAligned = {}, kOddRows = {.gap = 1}, kEvenRows = {.gap = 2},
                 kOffPointers = {.gap = 4, .offset = 1};

Outcome check_any_shape(const SgemmSize& size, const Layout& layout = {},
                        const Effort& effort = {}) {
  CAPTURE(size);
  CAPTURE(layout.gap);
  CAPTURE(layout.offset);
  CAPTURE(effort.multiprocessors);
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8, 1.5f, 0.5f);
  const Outcome outcome = sgemm_test::run(sgemm_test::step("any_shape"), problem, layout, effort);
  CHECK(course::check_sgemm(problem, outcome.c).failure == "");
  CHECK(outcome.gaps_intact);
  return outcome;
}

bool is_tested() { return sgemm_test::is_tested(sgemm_test::step("any_shape")); }

// Each has another tile, or another number of parts, by the model of its time.
const std::vector<SgemmSize> kShapes = {{16, 512, 600}, {4, 132, 2100},  {600, 16, 600},
                                        {900, 8, 68},   {20, 20, 9000},  {97, 96, 516},
                                        {520, 64, 36},  {190, 192, 1032}};

}  // namespace

TEST_CASE("any_shape is right for thin, flat, small and deep matrices") {
  if (!is_tested()) return;
  for (const SgemmSize& size : kShapes) check_any_shape(size, kAligned, {.multiprocessors = 8});
}

TEST_CASE("any_shape is right again from the same workspace") {
  if (!is_tested()) return;
  check_any_shape({20, 20, 9000}, kAligned, {.multiprocessors = 132, .launches = 2});
  check_any_shape({1, 20, 3000}, kAligned, {.multiprocessors = 8, .launches = 3});
  check_any_shape({20, 1, 9000}, kAligned, {.multiprocessors = 8, .launches = 3});
}

TEST_CASE("any_shape is right where rows do not begin on 16 bytes") {
  if (!is_tested()) return;
  for (const SgemmSize& size : kShapes) check_any_shape(size, kOddRows, {.multiprocessors = 8});
  for (const Layout& layout : {kOddRows, kEvenRows, kOffPointers})
    for (const SgemmSize& size :
         {SgemmSize{17, 129, 131}, SgemmSize{129, 17, 65}, SgemmSize{64, 64, 64},
          SgemmSize{33, 65, 1001}, SgemmSize{2, 300, 31}})
      check_any_shape(size, layout, {.multiprocessors = 8});
}

TEST_CASE("any_shape: TMA loads the operand that it can, threads the other one") {
  if (!is_tested()) return;
  for (const SgemmSize& size : {SgemmSize{100, 68, 131}, SgemmSize{100, 67, 132}})
    check_any_shape(size);
  if (!course::backend().reports_counters) return;
  const auto bulk_copies = [](const SgemmSize& size) {
    return check_any_shape(size).counted->bulk.copies;
  };
  CHECK(bulk_copies({100, 67, 131}) == 0);
  CHECK(bulk_copies({100, 68, 131}) > 0);
  CHECK(bulk_copies({100, 67, 132}) > 0);
}

TEST_CASE("any_shape copies matrices to where TMA can read them where they are used often") {
  if (!is_tested()) return;
  for (const Layout& layout : {kAligned, kOffPointers})
    for (const SgemmSize& size : {SgemmSize{301, 259, 301}, SgemmSize{301, 260, 301}}) {
      const Outcome outcome = check_any_shape(size, layout, {.multiprocessors = 2});
      if (course::backend().reports_counters) CHECK(outcome.counted->bulk.copies > 0);
    }
}

TEST_CASE("any_shape: products with a row or a column") {
  if (!is_tested()) return;
  for (const Layout& layout : {kAligned, kOddRows, kOffPointers})
    for (const SgemmSize& size :
         {SgemmSize{1, 1, 1}, SgemmSize{1, 1, 3000}, SgemmSize{1, 300, 70}, SgemmSize{1, 128, 1},
          SgemmSize{1, 129, 2051}, SgemmSize{1, 4, 1000}, SgemmSize{300, 1, 70},
          SgemmSize{257, 1, 3}, SgemmSize{9, 1, 4100}, SgemmSize{40, 1, 1029}, SgemmSize{1, 9, 0},
          SgemmSize{9, 1, 0}})
      check_any_shape(size, layout, {.multiprocessors = 4});
}

TEST_CASE("any_shape loads a matrix once where it is multiplied with a vector") {
  if (!course::backend().reports_counters || !is_tested()) return;
  const auto sectors = [](const SgemmSize& size) {
    const auto problem = course::make_sgemm_problem(size, /*seed=*/8);
    return sgemm_test::run(sgemm_test::step("any_shape"), problem, {}, {.multiprocessors = 4})
        .counted->global_load.sectors;
  };
  constexpr std::uint64_t kMatrixSectors = 512 * 512 / 8;
  CHECK(sectors({1, 512, 512}) < kMatrixSectors * 5 / 4);
  CHECK(sectors({512, 1, 512}) < kMatrixSectors * 5 / 2);  // and the vector for each row
}

TEST_CASE("any_shape gives the same bits, whichever block is the last to arrive") {
  if (!is_tested()) return;
  for (const SgemmSize& deep : {SgemmSize{20, 20, 9000}, SgemmSize{20, 21, 4001},
                                SgemmSize{1, 20, 3000}, SgemmSize{3, 1, 9000}}) {
    const std::vector<float> once = check_any_shape(deep).c;
    for (int i = 0; i < 2; ++i) CHECK(check_any_shape(deep).c == once);
  }
}
