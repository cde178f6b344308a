#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_01_2 {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

/// What the loads take: a warp has every second of 64 columns of its block, wherever they end.
void set_cost(Trial& trial, int n, int rows, int threads) {
  coursework::PaperRequests loads;
  int fewest = 0;
  for (int row = 0; row < rows; ++row) {
    for (int first = 0; first < n; first += threads)
      fewest += divide_up(std::min(threads, n - first), kWarpSize);
    for (int first = 0; first < n; first += 2 * kWarpSize)
      for (int side = 0; side < 2; ++side) {
        for (int i = first + side; i < std::min(first + 2 * kWarpSize, n); i += 2)
          loads.lane(std::int64_t{row} * n + i);
        loads.end_request();
      }
  }
  trial.set("sectors", loads.sectors());
  trial.set("requests", loads.requests());
  trial.set("fewest_requests", fewest);
}

void judge(Trial& trial) {
  const int n = trial["n"], rows = trial["rows"], threads = trial["threads"];
  set_cost(trial, n, rows, threads);
  if (rows == 0) trial.measure_nothing();
  const auto table = course::random_floats(static_cast<std::size_t>(rows) * n, trial.seed(1));
  const auto in = trial.input(table);
  const auto out = trial.output<float>(n);
  trial.launch("sums_and_maxima", {divide_up(n, threads), threads}, n, rows, in, out);

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

}  // namespace exercise_01_2
