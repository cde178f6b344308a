#include <string>
#include <vector>

#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_00_2 {

using coursework::Trial;

constexpr int kMost = 60;  // its fourth power has fewer digits than a float

void judge(Trial& trial) {
  const int n = trial["n"], blocks = trial["blocks"], threads = trial["threads"];
  const auto whole = course::random_ints(n, trial.seed(1), 2, kMost);
  const std::vector<float> before(whole.begin(), whole.end());
  const auto data = trial.input(before);
  trial.launch("square", {blocks, threads}, n, data);

  const auto after = trial.read(data);
  for (int i = 0; i < n; ++i) {
    const float once = before[i] * before[i];
    const std::string element = "data[" + std::to_string(i) + "]";
    trial.expect(after[i] != before[i], element + " was not squared; the grid has " +
                                            std::to_string(blocks * threads) + " threads for " +
                                            std::to_string(n) + " elements.");
    trial.expect(after[i] != once * once, element + " was squared twice.");
    trial.expect(after[i] == once, element + " is wrong.");
  }
}

const coursework::Registered registered("00_2", judge);

}  // namespace exercise_00_2
