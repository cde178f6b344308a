#include <string>
#include <vector>

#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_10_3 {

using coursework::Trial;

constexpr int kThreads = 128, kRows = 32, kCols = 16, kRounds = 4, kLanes = 32, kQuad = 4;
constexpr int kOfATile = kRows * kCols;

/// Where C has what `lane` holds in place `i` of `round`.
std::size_t place_in_c(int tile, int round, int lane, int i) {
  const int row_group = lane / 2 % 8, col_group = lane / 16 * 2 + lane % 2;
  const int row = kQuad * row_group + i, col = kQuad * col_group + round;
  return std::size_t(tile) * kOfATile + col * kRows + row;
}

void judge(Trial& trial) {
  const int tiles = trial["tiles"];
  if (tiles == 0) trial.measure_nothing();
  const auto results = course::random_floats(std::size_t(tiles) * kOfATile, trial.seed(1));
  const auto device_results = trial.input(results);
  const auto device_c = trial.output<float>(results.size());
  trial.launch(
      "store_tiles",
      {.grid = static_cast<unsigned>(trial["blocks"]), .block = kThreads, .parted_warps = true},
      tiles, device_results, device_c);

  const auto c = trial.read(device_c);
  int wrong = 0, wrong_in_last_round = 0;
  std::size_t element = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    for (int round = 0; round < kRounds; ++round) {
      for (int lane = 0; lane < kLanes; ++lane) {
        for (int i = 0; i < kQuad; ++i, ++element) {
          if (c[place_in_c(tile, round, lane, i)] == results[element]) continue;
          ++wrong;
          wrong_in_last_round += round + 1 == kRounds ? 1 : 0;
        }
      }
    }
  }
  trial.expect(wrong == 0 || wrong_in_last_round > 0,
               std::to_string(wrong) + " of " + std::to_string(c.size()) +
                   " elements of C are wrong, but none that belongs to the last round of a tile. "
                   "What do the other rounds have after them that the last one has not?");
  trial.expect(wrong == 0, std::to_string(wrong) + " of " + std::to_string(c.size()) +
                               " elements of C are wrong. May a lane load before the others have "
                               "stored, or store again before the others have loaded?");
}

const coursework::Registered registered("10_3", judge);

}  // namespace exercise_10_3
