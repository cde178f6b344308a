/// Matrices large enough for every shape of tile, and for tiles that are split.

#include <doctest/doctest.h>

#include <vector>

#include "course/backend.hpp"
#include "ladder.hpp"

using sgemm_test::Outcome;
using sgemm_test::SgemmSize;
using sgemm_test::Step;

namespace {

Outcome check_step(const Step& step, const SgemmSize& size, int launches = 1) {
  CAPTURE(step.file);
  CAPTURE(size.m);
  CAPTURE(size.n);
  CAPTURE(size.k);
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8, 1.5f, 0.5f);
  const Outcome outcome = sgemm_test::run(step, problem, {}, launches);
  CHECK(course::check_sgemm(problem, outcome.c).failure == "");
  CHECK(outcome.gaps_intact);
  return outcome;
}

// Sizes for 132 multiprocessors, on which the steps below choose their shapes.
constexpr SgemmSize kSmallTiles = {637, 344, 132};    // 110 of 64 x 32
constexpr SgemmSize kMediumTiles = {637, 1288, 68};   // 110 of 64 x 128
constexpr SgemmSize kLargeTiles = {1277, 2561, 33};   // 110 of 128 x 256
constexpr SgemmSize kSplitMedium = {1273, 1913, 65};  // 300 of 64 x 128: 132 whole, 168 split
constexpr SgemmSize kSplitLarge = {1531, 2817, 33};   // 144 of 128 x 256, all split
constexpr SgemmSize kLongK = {33, 20, 1000};          // 1 of 64 x 32: 8 blocks share it
constexpr SgemmSize kLongerK = {130, 70, 2000};       // 9: 132 blocks share 144 panels

bool counts() { return course::backend().reports_counters; }

/// Loads of pieces of C, besides those of C itself.
std::uint64_t loaded_pieces_bytes(const Outcome& outcome, const SgemmSize& size) {
  return outcome.counted->global_load.bytes - sizeof(float) * size.m * size.n;
}

}  // namespace

TEST_CASE("slices and even_shares are right with tiles of every shape") {
  for (const char* name : {"slices", "even_shares"}) {
    const Step step = sgemm_test::step(name);
    if (!sgemm_test::can_run(step)) return;
    for (const SgemmSize& size : {kSmallTiles, kMediumTiles, kLargeTiles, kLongK})
      check_step(step, size);
  }
}

TEST_CASE("even_shares is right where tiles are split, again and again from the same workspace") {
  const Step step = sgemm_test::step("even_shares");
  if (!sgemm_test::can_run(step)) return;
  for (const SgemmSize& size : {kSplitMedium, kSplitLarge}) check_step(step, size);
  for (const SgemmSize& size : {kLongK, kLongerK}) check_step(step, size, /*launches=*/3);
}

TEST_CASE("even_shares gives the same bits, whichever block is the last to arrive") {
  const Step step = sgemm_test::step("even_shares");
  if (!sgemm_test::can_run(step)) return;
  const std::vector<float> once = check_step(step, kLongerK).c;
  for (int i = 0; i < 5; ++i) CHECK(check_step(step, kLongerK).c == once);
}

TEST_CASE("even_shares splits tiles only where some multiprocessors would have nothing to do") {
  if (!counts()) return;
  const Step step = sgemm_test::step("even_shares");
  for (const SgemmSize& size : {kSmallTiles, kMediumTiles, SgemmSize{300, 200, 100}})
    CHECK(loaded_pieces_bytes(check_step(step, size), size) == 0);
  // The one tile of 64 x 32, in eight pieces.
  CHECK(loaded_pieces_bytes(check_step(step, kLongK), kLongK) == 8 * 64 * 32 * sizeof(float));
}
