#include <algorithm>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_09_4 {

constexpr int kTile = 32, kThreads = 256;

/// What `misplaced_loads` takes: loads of a warp that come before a store, added up over all
/// stores. A warp has four for A, and four for each tile.
void set_misplaced_loads(coursework::Trial& trial, int tiles, int blocks) {
  constexpr double kOfTile = 4.0, kWarps = kThreads / course::kWarpSize;
  double least = 0.0, most = 0.0;
  for (int tile = 0; tile < tiles; ++tile) {
    const double stores = kWarps * kOfTile;
    const double so_far = kOfTile * (1 + tile / blocks + 1);  // with A
    const bool is_last = tile + blocks >= tiles;
    least += stores * (so_far + (is_last ? 0.0 : kOfTile));
    most += stores * (so_far + coursework::Trial::kMostAhead);
  }
  trial.set_misplaced_loads(least, most);
}

/// Whole numbers, so that sums are exact in any order.
std::vector<float> small_numbers(std::size_t count, std::uint64_t seed) {
  const auto numbers = course::random_ints(count, seed, -9, 9);
  return {numbers.begin(), numbers.end()};
}

void judge(coursework::Trial& trial) {
  const int n = trial["n"], blocks = trial["blocks"];
  trial.set("rounds", course::divide_up(n / kTile, blocks));

  // In "ahead", C overlaps B by all but a round's columns: a tile that is asked for too late brings
  // the elements of C that a thread has stored there.
  // A GPU may copy later than it is told to, and then even a right answer brings them.
  const bool overlaps = trial.group() == "ahead" && course::backend().reports_counters;
  if (overlaps) trial.keep_to_one_order();
  const int shift = overlaps ? blocks * kTile : 0;
  const auto a = small_numbers(kTile * kTile, trial.seed(1));
  const auto b = small_numbers(kTile * n + shift, trial.seed(2));
  const auto memory = trial.input(b);
  const auto c = overlaps ? memory.from(shift) : trial.output<float>(kTile * n);
  trial.launch("wide_product", {blocks, kThreads}, n, trial.input(a), memory, c);

  const auto result = trial.read(overlaps ? memory : c);
  for (int row = 0; row < kTile; ++row) {
    for (int col = 0; col < n; ++col) {
      float expected = 0.0f;
      for (int p = 0; p < kTile; ++p) expected += a[row * kTile + p] * b[p * n + col];
      const float found = result[shift + row * n + col];
      trial.expect(
          found == expected || !overlaps,
          "A tile of B is asked for after C of the tile before was stored. (To see it, the "
          "check lets C overlap B here: a copy that comes too late brings elements of C. "
          "Only the emulator can do that.)");
      trial.expect(
          found == expected,
          "C has " + std::to_string(found) + " instead of " + std::to_string(expected) +
              " in row " + std::to_string(row) + ", column " + std::to_string(col) + ": tile " +
              std::to_string(col / kTile / blocks) +
              " of its block, counted from 0. Was all of it there when it was multiplied?");
    }
  }
  set_misplaced_loads(trial, n / kTile, blocks);
  trial.set("last_stores", kTile * kTile * std::min(blocks, n / kTile));
}

const coursework::Registered registered("09_4", judge);

}  // namespace exercise_09_4
