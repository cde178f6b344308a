/// Tests that every step of the ladder is right and costs what its documentation says.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "chapters/size_text.hpp"
#include "course/backend.hpp"
#include "ladder.hpp"
#include "steps/tuned_parameters.hpp"

using sgemm_test::check_step;
using sgemm_test::Names;
using sgemm_test::SgemmSize;
using sgemm_test::Step;

namespace {

/// Calls check(step) for every step to be tested.
template <class Check>
void for_each_step(Check check) {
  for (const Step& step : sgemm_test::steps())
    if (sgemm_test::is_tested(step)) check(step);
}

/// The sizes of the tuned step's tiles and threads, under their names in the step.
template <int kTileM, int kTileN, int kTileK, int kThreadM, int kThreadN>
Names names_of(const tuned::Shape<kTileM, kTileN, kTileK, kThreadM, kThreadN>*) {
  return {{"kTileM", kTileM}, {"kTileN", kTileN}, {"kThreadM", kThreadM}, {"kThreadN", kThreadN}};
}

constexpr int kSharing = 7;  // multiprocessors that share the tiles in this file

/// Returns into how many pieces even_shares cuts its tiles of 128 x 64, if it cuts all of them.
int pieces_of(const SgemmSize& s, int multiprocessors) {
  const int tiles = s.m / 128 * (s.n / 64), panels = s.k / 64;
  int pieces = multiprocessors;  // a cut between two tiles adds none
  for (int tile = 1; tile < tiles; ++tile)
    if (tile * panels * multiprocessors % (tiles * panels) != 0) ++pieces;
  return pieces;
}

/// Returns the values of the names in a step's expectations at a size.
Names names_at(const Step& step, const SgemmSize& s) {
  Names names;
  if (step.name() == "tuned") names = names_of(static_cast<const tuned::Tuned*>(nullptr));
  const auto shape = [&](int thread_m, int thread_n, int tile_m, int tile_n, int slices,
                         int panel) {
    names = {{"kThreadM", thread_m}, {"kThreadN", thread_n}, {"kTileM", tile_m},
             {"kTileN", tile_n},     {"kSlices", slices},    {"kPanel", panel}};
    names["kWavefrontsB"] = thread_m * thread_n < 128 ? 2 : 4;
  };
  // The step's shape for this size: the largest with tiles for 3/4 of 132 blocks.
  if (step.name() == "register_order")
    shape(8, 16, 128, 256, 1, 32);
  else if (step.name() == "even_shares" || s.m * s.n >= 99 * 128 * 64)
    shape(8, 16, 128, 64, 4, 64);
  else if (s.m * s.n >= 99 * 64 * 32)
    shape(8, 8, 64, 32, 8, 128);
  else if (sgemm_test::has_tma(step))
    shape(4, 4, 32, 16, 8, 128);
  names.insert({{"m", s.m}, {"n", s.n}, {"k", s.k}});
  names["pieces"] = pieces_of(s, kSharing);
  return names;
}

/// Checks the expectations in `file`, by default the step's own.
void check_expectations(const Step& step, SgemmSize size, int multiprocessors = 132,
                        const std::string& file = {}, const Names& names = {}) {
  CAPTURE(step.file);
  CAPTURE(size);
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8);  // beta is 0
  const auto counted =
      sgemm_test::run(step, problem, {}, {.multiprocessors = multiprocessors}).counted;
  if (!counted) return;
  const auto expectations = sgemm_test::expectations_of(file.empty() ? step.file : file);
  CHECK(expectations.size() >= 2);
  sgemm_test::check_counters(
      expectations, names.empty() ? names_at(step, size) : names,
      [&](const std::string& name) { return course::counter(*counted, name).value(); });
}

}  // namespace

TEST_CASE("every step is right at and around the edges of its tiles") {
  for_each_step([](const Step& step) {
    for (const SgemmSize& size :
         {SgemmSize{1, 1, 1}, SgemmSize{31, 33, 63}, SgemmSize{33, 31, 65}, SgemmSize{64, 64, 64},
          SgemmSize{63, 65, 31}, SgemmSize{65, 63, 129}, SgemmSize{127, 129, 33},
          SgemmSize{129, 127, 64}, SgemmSize{128, 256, 32}, SgemmSize{257, 65, 127},
          SgemmSize{1, 257, 33}, SgemmSize{257, 1, 31}, SgemmSize{1, 1, 257},
          // Whole tiles, rows that begin at 16 bytes or not, a remainder of k, and edges.
          SgemmSize{64, 128, 36}, SgemmSize{64, 128, 33}, SgemmSize{100, 260, 68},
          SgemmSize{64, 68, 36}})
      check_step(step, size, 1.5f, 0.5f);
  });
}

TEST_CASE("every step does nothing for an empty C, and scales C where there is nothing to add") {
  for_each_step(sgemm_test::check_nothing_to_do);
}

TEST_CASE("every step takes rows with gaps, and pointers that are aligned to a float only") {
  for_each_step([](const Step& step) { sgemm_test::check_layouts(step, 36); });
}

TEST_CASE("alpha and beta: 0 does not read what it would be multiplied with") {
  for_each_step(sgemm_test::check_factors);
}

TEST_CASE("every counter that a step's documentation names is what it says") {
  if (!course::backend().reports_counters) return;
  for_each_step([](const Step& step) {
    if (step.name() == "even_shares") return;  // splits no tile here
    if (step.name() == "any_shape") return;    // uses registers for its tiles here
    for (const SgemmSize& size : {SgemmSize{256, 256, 128}, SgemmSize{128, 256, 256}})
      check_expectations(step, size);
  });
}

TEST_CASE("slices: the same with larger tiles") {
  const Step step = sgemm_test::step("slices");
  if (!course::backend().reports_counters || !sgemm_test::is_tested(step)) return;
  check_expectations(step, {640, 352, 128});
  check_expectations(step, {1280, 704, 64});
}

TEST_CASE("even_shares: the same where tiles are split") {
  const Step step = sgemm_test::step("even_shares");
  if (!course::backend().reports_counters || !sgemm_test::is_tested(step)) return;
  check_expectations(step, {384, 64, 1664}, kSharing);
  check_expectations(step, {128, 64, 3328}, kSharing);
}

TEST_CASE("any_shape: the same with TMA, and through registers") {
  const Step step = sgemm_test::step("any_shape");
  if (!course::backend().reports_counters || !sgemm_test::is_tested(step)) return;
  for (const SgemmSize& size : {SgemmSize{256, 256, 512}, SgemmSize{128, 256, 512}})
    check_expectations(step, size);
  for (const SgemmSize& size : {SgemmSize{256, 256, 128}, SgemmSize{128, 256, 256}})
    check_expectations(step, size, 132, "09_sgemm/steps/direct");
}

TEST_CASE("any_shape: the same with few rows, and with few columns") {
  const Step step = sgemm_test::step("any_shape");
  if (!course::backend().reports_counters || !sgemm_test::is_tested(step)) return;
  const auto check = [&](const SgemmSize& size, int tile_m, int tile_n) {
    check_expectations(
        step, size, 132, "09_sgemm/steps/thin",
        {{"m", size.m}, {"n", size.n}, {"k", size.k}, {"kTileM", tile_m}, {"kTileN", tile_n}});
  };
  check({4, 4096, 512}, 4, 32);
  check({512, 4, 512}, 8, 4);
}

TEST_CASE("conflict_free has no bank conflicts; vectorised has them in loads and in stores") {
  if (!course::backend().reports_counters) return;
  const auto problem = course::make_sgemm_problem({256, 256, 64}, /*seed=*/8);
  const auto with = *sgemm_test::run(sgemm_test::step("vectorised"), problem).counted;
  const auto without = *sgemm_test::run(sgemm_test::step("conflict_free"), problem).counted;
  CHECK(without.shared_load.wavefronts == without.shared_load.wavefronts_ideal);
  CHECK(without.shared_store.wavefronts == without.shared_store.wavefronts_ideal);
  CHECK(with.shared_load.requests == without.shared_load.requests);
  CHECK(with.shared_store.requests == without.shared_store.requests);
  // Loads of B, two thirds of all wavefronts, take twice as many as needed; stores of A, a third of
  // them, eight times.
  CHECK(3 * with.shared_load.wavefronts == 5 * without.shared_load.wavefronts);
  CHECK(3 * with.shared_store.wavefronts == 10 * without.shared_store.wavefronts);
}
