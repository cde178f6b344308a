#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_09_5 {

constexpr int kColumns = 128, kThreads = 160;

void judge(coursework::Trial& trial) {
  const int rows = trial["rows"], blocks = trial["blocks"];
  trial.set("rounds", course::divide_up(rows, blocks));

  // Whole numbers, so that sums are exact in any order.
  const auto numbers = course::random_ints(rows * kColumns, trial.seed(1), -99, 99);
  const auto device_sums = trial.output<float>(blocks * kColumns);
  trial.launch("column_sums", {blocks, kThreads}, rows,
               trial.input(std::vector<float>(numbers.begin(), numbers.end())), device_sums);

  const auto sums = trial.read(device_sums);
  for (int block = 0; block < blocks; ++block) {
    for (int col = 0; col < kColumns; ++col) {
      int expected = 0, summed = 0;
      for (int row = block; row < rows; row += blocks, ++summed)
        expected += numbers[row * kColumns + col];
      const float found = sums[block * kColumns + col];
      trial.expect(found == static_cast<float>(expected),
                   "Column " + std::to_string(col) + " of block " + std::to_string(block) +
                       " has the sum " + std::to_string(found) + " instead of " +
                       std::to_string(expected) + "; the block has " + std::to_string(summed) +
                       " rows. Was each row there when it was added, and only then replaced?");
    }
  }
}

const coursework::Registered registered("09_5", judge);

}  // namespace exercise_09_5
