#include <algorithm>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_03_3 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

constexpr int kThreads = 128;
constexpr int kWideFloats = 4 * kWarpSize;  // of one request
constexpr float kFactor = 3.0f;

void judge(Trial& trial) {
  const int n = trial["n"], first = trial["first"];
  const int floats = std::max(n - first, 0);
  trial.set("wide_requests", 2.0 * divide_up(floats, kWideFloats));
  trial.set("narrow_requests", 2.0 * divide_up(floats, kWarpSize));

  const auto before = course::random_floats(n, trial.seed(1));
  const auto data = trial.input(before);
  const int blocks = divide_up(divide_up(n, 4) + kWarpSize, kThreads);
  trial.launch("scale_wide", {blocks, kThreads}, n, first, kFactor, data);

  const auto after = trial.read(data);
  for (int k = 0; k < n; ++k) {
    const std::string element = "data[" + std::to_string(k) + "]";
    if (k < first) {
      trial.expect(after[k] == before[k],
                   element + " was changed, but it lies in front of `first`.");
      continue;
    }
    trial.expect(after[k] != before[k], element + " was not scaled.");
    trial.expect(after[k] == kFactor * before[k],
                 element + " was scaled, but not by the factor, or not just once.");
  }
}

const coursework::Registered registered("03_3", judge);

}  // namespace exercise_03_3
