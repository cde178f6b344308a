#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace {

using coursework::Trial;

void judge(Trial& trial) {
  const int n = trial["n"], rows = trial["rows"], threads = trial["threads"];
  trial.set("warps", 1.0 * n / course::kWarpSize);
  const auto table = course::random_floats(static_cast<std::size_t>(rows) * n, trial.seed(1));
  const auto in = trial.input(table);
  const auto out = trial.output<float>(n);
  trial.launch("sums_and_maxima", {course::divide_up(n, threads), threads}, n, rows, in, out);

  const auto actual = trial.read(out);
  for (int i = 0; i < n; ++i) {
    float expected = 0.0f;
    for (int row = 0; row < rows; ++row) {
      const float value = table[static_cast<std::size_t>(row) * n + i];
      expected = i % 2 == 0 ? expected + value : std::max(expected, value);
    }
    trial.expect(std::abs(actual[i] - expected) <= 1e-6f * static_cast<float>(rows),
                 "out[" + std::to_string(i) + "] should be the " +
                     (i % 2 == 0 ? "sum" : "maximum") + " of column " + std::to_string(i) + ", " +
                     std::to_string(expected) + ", but it is " + std::to_string(actual[i]) +
                     (std::isnan(actual[i]) ? ", which stands where no thread has written" : "") +
                     ". Every column of a block needs exactly one thread of that block.");
  }
}

const coursework::Registered registered("01_2", judge);

}  // namespace
