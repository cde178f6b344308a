#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_00_1 {

using coursework::Trial;

constexpr float kFactor = 3.0f;
constexpr int kMost = 1000;  // small whole numbers: no sum is rounded, however it is computed

std::vector<float> whole_floats(int n, std::uint64_t seed) {
  const auto whole = course::random_ints(n, seed, 1, kMost);
  return {whole.begin(), whole.end()};
}

void judge(Trial& trial) {
  const int n = trial["n"], threads = trial["threads"];
  const auto x = whole_floats(n, trial.seed(1)), before = whole_floats(n, trial.seed(2));
  const auto device_x = trial.input(x), device_y = trial.input(before);
  trial.launch("scale_and_add", {course::divide_up(n, threads), threads}, n, kFactor, device_x,
               device_y);

  const auto y = trial.read(device_y);
  for (int i = 0; i < n; ++i) {
    const std::string element = "y[" + std::to_string(i) + "]";
    const std::string where =
        ", in block " + std::to_string(i / threads) + " of " + std::to_string(threads) + " threads";
    trial.expect(y[i] != before[i], element + where + ", was not changed.");
    trial.expect(y[i] == kFactor * x[i] + before[i], element + where + ", is wrong.");
  }
}

const coursework::Registered registered("00_1", judge);

}  // namespace exercise_00_1
