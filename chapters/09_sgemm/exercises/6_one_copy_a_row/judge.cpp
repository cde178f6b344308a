#include <algorithm>
#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_09_6 {

constexpr int kBag = 8, kThreads = 128, kTableRows = 50;
constexpr int kFloatsOfSector = 8;

void judge(coursework::Trial& trial) {
  const int count = trial["count"], width = trial["width"];
  const int bags = course::divide_up(count, kBag);
  const auto which = course::random_ints(count, trial.seed(1), 0, kTableRows - 1);
  // Whole numbers, so that sums are exact in any order.
  const auto table = course::random_ints(kTableRows * width, trial.seed(2), -99, 99);

  int sectors = 0;
  for (const int row : which)
    sectors +=
        course::divide_up((row + 1) * width, kFloatsOfSector) - row * width / kFloatsOfSector;
  trial.set("bags", bags);
  trial.set("row_sectors", sectors);

  const auto device_sums = trial.output<float>(bags * width);
  trial.launch("bag_sums", {bags, kThreads}, count, width, trial.input(which),
               trial.input(std::vector<float>(table.begin(), table.end())), device_sums);

  const auto sums = trial.read(device_sums);
  for (int bag = 0; bag < bags; ++bag) {
    const int first = bag * kBag, in_bag = std::min(kBag, count - first);
    for (int col = 0; col < width; ++col) {
      int expected = 0;
      for (int r = 0; r < in_bag; ++r) expected += table[which[first + r] * width + col];
      const float found = sums[bag * width + col];
      trial.expect(found == static_cast<float>(expected),
                   "Column " + std::to_string(col) + " of bag " + std::to_string(bag) +
                       " has the sum " + std::to_string(found) + " instead of " +
                       std::to_string(expected) + "; the bag has " + std::to_string(in_bag) +
                       " rows. Were all of them there when they were added?");
    }
  }
}

const coursework::Registered registered("09_6", judge);

}  // namespace exercise_09_6
