#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course/compare.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_04_5 {

using course::divide_up;
using coursework::Trial;

constexpr int kThreads = 128;
constexpr int kCoefficients = 4, kAhead = 4;
constexpr double kTolerance = 16 * course::kFloatRounding;  // four roundings of values below 4

struct Matrix {
  int n, rows;
  std::vector<float> c, in;

  double polynomial_of(double x) const { return ((c[3] * x + c[2]) * x + c[1]) * x + c[0]; }
  double expected(std::size_t element) const { return polynomial_of(in[element]); }
};

bool equal(double actual, double expected) { return std::abs(actual - expected) <= kTolerance; }

void expect_values(Trial& trial, const Matrix& m, const std::vector<float>& out, bool in_place) {
  for (std::size_t i = 0; i < m.in.size(); ++i) {
    trial.expect(equal(out[i], m.expected(i)),
                 (in_place ? "Wrong in place, with out == in. Row " : "`out` is wrong. Row ") +
                     std::to_string(i / m.n) + " of column " + std::to_string(i % m.n) +
                     " should be " + std::to_string(m.expected(i)) + ", but it is " +
                     std::to_string(out[i]) +
                     (std::isnan(out[i]) ? ", which stands where no thread has written." : "."));
  }
}

/// After the launch: `misplaced_loads`, where a warp has four rows loaded, or all that are left,
/// before it stores the first of them. Coefficients may be loaded whenever somebody wants them.
void set_misplaced_loads(Trial& trial, const Matrix& m) {
  double least = 0.0, one_by_one = 0.0;  // sums over a warp's stores of the rows loaded before
  for (int row = 0; row < m.rows; ++row) {
    least += std::min(m.rows, kAhead * (row / kAhead + 1));
    one_by_one += row + 1;
  }
  // A warp of few lanes has so much less to load, and to store. All lanes load one coefficient.
  double rows = 0.0, coefficients = 0.0;
  for (int first = 0; first < m.n; first += course::kWarpSize) {
    const double part = std::min(1.0, 1.0 * (m.n - first) / course::kWarpSize);
    rows += part * part;
    coefficients += part * kCoefficients / course::kWarpSize;
  }
  trial.set_misplaced_loads(rows * least, rows * (one_by_one + Trial::kMostAhead * m.rows) +
                                              coefficients * (one_by_one + m.rows));
}

void judge(Trial& trial) {
  const int n = trial["n"], rows = trial["rows"];
  const Matrix m = {n, rows, course::random_floats(kCoefficients, trial.seed(1)),
                    course::random_floats(std::size_t(n) * rows, trial.seed(2))};
  const bool in_place = trial["in_place"] != 0;
  const auto device_in = trial.input(m.in);
  const auto out = in_place ? device_in : trial.output<float>(m.in.size());
  trial.launch("polynomial", {divide_up(n, kThreads), kThreads}, n, rows, trial.input(m.c),
               device_in, out);
  expect_values(trial, m, trial.read(out), in_place);
  set_misplaced_loads(trial, m);
  if (rows == 0) trial.measure_nothing();
}

const coursework::Registered registered("04_5", judge);

}  // namespace exercise_04_5
