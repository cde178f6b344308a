#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_08_4 {

constexpr int kTile = 32, kThreads = 256;

/// Loads before stores, added up over all stores: of A, of the tiles so far, and of the next one.
/// A warp has four requests for each tile, and four for A.
double loads_ahead(int tiles, int blocks) {
  constexpr double kOfTile = 4.0, kWarps = kThreads / course::kWarpSize;
  double loads = 0.0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int round = tile / blocks;
    const bool is_last = tile + blocks >= tiles;
    loads += kWarps * kOfTile * kOfTile * (1 + round + 1 + (is_last ? 0 : 1));
  }
  return loads;
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
  trial.set_late_loads(loads_ahead(n / kTile, blocks));
}

const coursework::Registered registered("08_4", judge);

}  // namespace exercise_08_4
