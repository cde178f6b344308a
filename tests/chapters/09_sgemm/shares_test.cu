/// Tests matrices large enough for every tile shape, and for split tiles.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "course/backend.hpp"
#include "ladder.hpp"
#include "tile_cases.hpp"

using sgemm_test::Effort;
using sgemm_test::Outcome;
using sgemm_test::SgemmSize;
using sgemm_test::Shared;
using sgemm_test::Step;

namespace {

Outcome check_step(const Step& step, const SgemmSize& size, const Effort& effort = {}) {
  return sgemm_test::check_step(step, size, 1.5f, 0.5f, {}, effort);
}

// Tiles for three quarters of 8 multiprocessors.
constexpr SgemmSize kSmallTiles = {125, 92, 132};   // 6 of 64 x 32
constexpr SgemmSize kMediumTiles = {370, 120, 68};  // 6 of 128 x 64
constexpr SgemmSize kLargeTiles = {370, 500, 36};   // 6 of 128 x 256

// Few multiprocessors, so that even shares are faster.
constexpr Shared kOneTile = {{33, 20, 2200}, 4};         // of 128 x 64, in 4 pieces
constexpr Shared kNineTiles = {{370, 192, 472}, 8};      // of 128 x 64: all split
constexpr Shared kManyTiles = {{890, 60, 604}, 3};       // 7 of 128 x 256: 3 whole, 4 split
constexpr Shared kWholeTiles = {{384, 256, 832}, 2};     // 3 of 128 x 256: none at an edge, 1 split
constexpr Shared kUnevenShares = {{890, 124, 448}, 13};  // 14 of 128 x 64: shares of 7.5 panels

/// Returns the bytes loaded of pieces of C, without those of C itself.
std::uint64_t loaded_pieces_bytes(const Outcome& outcome, const SgemmSize& size) {
  return outcome.counted->global_load.bytes - sizeof(float) * size.m * size.n;
}

}  // namespace

TEST_CASE("slices is right with tiles of every shape") {
  const Step step = sgemm_test::step("slices");
  if (!sgemm_test::is_tested(step)) return;
  for (const SgemmSize& size : {kSmallTiles, kMediumTiles, kLargeTiles})
    check_step(step, size, {.multiprocessors = 8});
}

TEST_CASE("even_shares is right where tiles are split, again and again from the same workspace") {
  const Step step = sgemm_test::step("even_shares");
  if (!sgemm_test::is_tested(step)) return;
  for (const auto& [size, multiprocessors] : {kNineTiles, kManyTiles, kWholeTiles, kUnevenShares})
    check_step(step, size, {multiprocessors});
  check_step(step, kOneTile.size, {kOneTile.multiprocessors, /*launches=*/3});
}

TEST_CASE("even_shares takes a workspace as products of other shapes have left it") {
  const Step step = sgemm_test::step("even_shares");
  if (!sgemm_test::is_tested(step)) return;
  // Copies of A and B, which are larger than all counters; pieces; copies again without pieces.
  sgemm_test::check_one_workspace(
      step, {{33, 20, 2200}, {370, 120, 69}, {125, 91, 560}, {33, 20, 2200}}, 4);
}

TEST_CASE("even_shares gives the same bits, whichever block is the last to arrive") {
  const Step step = sgemm_test::step("even_shares");
  if (!sgemm_test::is_tested(step)) return;
  const Effort effort = {kOneTile.multiprocessors};
  const std::vector<float> once = check_step(step, kOneTile.size, effort).c;
  for (int i = 0; i < 5; ++i) CHECK(check_step(step, kOneTile.size, effort).c == once);
}

TEST_CASE("even_shares splits tiles only where multiprocessors would wait longer than that takes") {
  const Step step = sgemm_test::step("even_shares");
  if (!course::backend().reports_counters || !sgemm_test::is_tested(step)) return;
  for (const SgemmSize& size : {kSmallTiles, kMediumTiles, kLargeTiles, SgemmSize{33, 20, 1000}})
    CHECK(loaded_pieces_bytes(check_step(step, size, {.multiprocessors = 8}), size) == 0);
  const auto pieces_of = [&](const Shared& shared, int tile_floats) {
    const Outcome outcome = check_step(step, shared.size, {shared.multiprocessors});
    return loaded_pieces_bytes(outcome, shared.size) / (sizeof(float) * tile_floats);
  };
  CHECK(pieces_of(kOneTile, 128 * 64) == 4);
  CHECK(pieces_of(kNineTiles, 128 * 64) ==
        8 + 9 - 1 - 2);  // the first and the last tile belong to one block
  CHECK(pieces_of(kManyTiles, 128 * 256) == 3 + 4 - 1 - 2);
}

// Dealing out all tiles as shares would cut equally many. But a block would then go from one of its
// tiles to the next, whereas whole tiles dealt in turn are adjacent at any time and share rows of A
// and columns of B in L2.
TEST_CASE("even_shares deals out whole tiles first: these have the bits of slices") {
  const Step even_shares = sgemm_test::step("even_shares");
  if (!sgemm_test::is_tested(even_shares)) return;
  const auto& [size, multiprocessors] = kManyTiles;
  const auto problem = course::make_sgemm_problem(size, /*seed=*/8);
  const Effort effort = {multiprocessors};
  const auto shared = sgemm_test::run(even_shares, problem, {}, effort).c;
  const auto whole = sgemm_test::run(sgemm_test::step("slices"), problem, {}, effort).c;
  const auto first_split = std::ptrdiff_t(3) * 128 * size.n;  // after three whole tiles
  CHECK(std::equal(shared.begin(), shared.begin() + first_split, whole.begin()));
  CHECK_FALSE(std::equal(shared.begin() + first_split, shared.end(), whole.begin() + first_split));
}

TEST_CASE("any_shape is right with every tile, whole and in pieces") {
  const Step step = sgemm_test::step("any_shape");
  if (!sgemm_test::is_tested(step)) return;
  for (const sgemm_test::TileCase& one : sgemm_test::kTileCases)
    check_step(step, one.size, {.multiprocessors = sgemm_test::kTileCaseMultiprocessors});
  for (const SgemmSize& size : {kOneTile.size, kNineTiles.size, kUnevenShares.size})
    check_step(step, size, {.multiprocessors = 13});
}

TEST_CASE("any_shape takes a workspace as products of other shapes have left it") {
  const Step step = sgemm_test::step("any_shape");
  if (!sgemm_test::is_tested(step)) return;
  std::vector<SgemmSize> sizes = {{129, 127, 333}};  // with copies of A and B, and no split tiles
  for (const sgemm_test::TileCase& one : sgemm_test::kTileCases)
    if (one.is_split) sizes.push_back(one.size);
  sgemm_test::check_one_workspace(step, sizes, sgemm_test::kTileCaseMultiprocessors);
  constexpr SgemmSize kDeep = {16, 16, 9000}, kWide = {30, 96, 7000};  // pieces in groups
  sgemm_test::check_one_workspace(step, {kDeep, kWide}, 41);
}

TEST_CASE("any_shape adds up many pieces of a tile in groups, with the same bits each time") {
  const Step step = sgemm_test::step("any_shape");
  if (!sgemm_test::is_tested(step)) return;
  constexpr SgemmSize kDeep = {16, 16, 9000}, kTwoDeep = {30, 96, 7000}, kOddDeep = {15, 31, 7001};
  for (const SgemmSize& size : {kDeep, kTwoDeep, kOddDeep}) {
    const std::vector<float> once = check_step(step, size, {.multiprocessors = 41}).c;
    CHECK(check_step(step, size, {.multiprocessors = 41, .launches = 2}).c == once);
  }
}
