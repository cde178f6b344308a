#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course/compare.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_04_1 {

using course::divide_up;
using coursework::Trial;

constexpr int kThreads = 128;
constexpr int kTaps = 3;
constexpr double kTolerance = 16 * course::kFloatRounding;  // three products of values below 1

struct Filter {
  int n, rows;
  std::vector<float> weights, in;

  double expected(int row, int i) const {
    double sum = 0.0;
    for (int tap = 0; tap < kTaps && tap <= row; ++tap)
      sum += double(weights[tap]) * in[std::size_t(row - tap) * n + i];
    return sum;
  }
};

void expect_values(Trial& trial, const Filter& f, const std::vector<float>& out,
                   const std::string& complaint) {
  for (int row = 0; row < f.rows; ++row) {
    for (int i = 0; i < f.n; ++i) {
      const float actual = out[std::size_t(row) * f.n + i];
      const double expected = f.expected(row, i);
      trial.expect(std::abs(actual - expected) <= kTolerance,
                   complaint + " Row " + std::to_string(row) + " of column " + std::to_string(i) +
                       " should be " + std::to_string(expected) + ", but it is " +
                       std::to_string(actual) +
                       (std::isnan(actual) ? ", which stands where no thread has written." : "."));
    }
  }
}

/// What the rows take where a warp has 32 neighbouring columns.
void set_cost(Trial& trial, int n, int rows) {
  coursework::PaperRequests rows_of_warps;
  for (int row = 0; row < rows; ++row)
    for (int begin = 0; begin < n; begin += course::kWarpSize) {
      for (int i = begin; i < std::min(begin + course::kWarpSize, n); ++i)
        rows_of_warps.lane(std::int64_t{row} * n + i);
      rows_of_warps.end_request();
    }
  trial.set("sectors", rows_of_warps.sectors());
  if (rows == 0) trial.measure_nothing();
}

void judge(Trial& trial) {
  const Filter f = {trial["n"], trial["rows"], course::random_floats(kTaps, trial.seed(1)),
                    course::random_floats(std::size_t(trial["n"]) * trial["rows"], trial.seed(2))};
  set_cost(trial, f.n, f.rows);
  const bool in_place = trial["in_place"] != 0;
  const auto weights = trial.input(f.weights), in = trial.input(f.in);
  const auto out = in_place ? in : trial.output<float>(f.in.size());
  trial.launch("filter_columns", {divide_up(f.n, kThreads), kThreads}, f.n, f.rows, weights, in,
               out);
  expect_values(trial, f, trial.read(out),
                in_place ? "Wrong in place, with out == in: a row is overwritten before the rows "
                           "below it are done with it, and a __restrict__ would promise that this "
                           "cannot be."
                         : "`out` is wrong.");
}

const coursework::Registered registered("04_1", judge);

}  // namespace exercise_04_1
