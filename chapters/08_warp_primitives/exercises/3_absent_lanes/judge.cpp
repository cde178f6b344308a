#include <bit>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_08_3 {

using course::divide_up;
using coursework::Trial;

/// What requirements are measured by.
void set_figures(Trial& trial, int n, int warps, int blocks) {
  constexpr int kSectorInts = course::kSectorBytes / sizeof(int), kStepsOfTree = 5;
  const int loading_warps = divide_up(n, course::kWarpSize);
  const int steps_for_sums = std::bit_width(static_cast<unsigned>(warps - 1));
  trial.set("blocks", blocks);
  trial.set("all_warps", blocks * warps);
  trial.set("loading_warps", loading_warps);
  trial.set("sectors", divide_up(n, kSectorInts));
  // A warp without elements has nothing to add up, and the sum of one warp is the block's.
  trial.set("steps", kStepsOfTree * loading_warps + steps_for_sums * blocks);
  trial.set("is_shared", warps > 1);
}

void judge(Trial& trial) {
  const int n = trial["n"], warps = trial["warps"], threads = warps * course::kWarpSize;
  const int blocks = divide_up(n, threads);
  set_figures(trial, n, warps, blocks);

  const auto values = course::random_ints(n, trial.seed(1), -1000, 1000);
  std::vector<int> expected(blocks, 0);
  for (int i = 0; i < n; ++i) expected[i / threads] += values[i];
  const auto sums = trial.output<int>(blocks);
  const coursework::Shape shape{.grid = blocks, .block = threads, .parted_warps = true};
  const auto in = trial.input(values);
  trial.launch("block_sums", shape, n, in, sums);

  const auto actual = trial.read(sums);
  for (int block = 0; block < blocks; ++block)
    trial.expect(actual[block] == expected[block],
                 "The sum of block " + std::to_string(block) + " is " +
                     std::to_string(actual[block]) + " instead of " +
                     std::to_string(expected[block]) +
                     ". Does every value reach the sum, and only once? If so, look at the masks: "
                     "does one name lanes that do not come, or does a lane read from one that its "
                     "mask does not name?");

  // A few sums may be the same by chance.
  constexpr int kEnough = 16;
  trial.set(
      "of_shuffles",
      blocks < kEnough ? 1 : trial.comes_by_warp_functions(sums, "block_sums", shape, n, in, sums));
}

const coursework::Registered registered("08_3", judge);

}  // namespace exercise_08_3
