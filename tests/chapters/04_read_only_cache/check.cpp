/// Checks the exercise of chapter 04.

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "../exercise_check.hpp"
#include "../launch.hpp"
#include "course/compare.hpp"
#include "course/counters.hpp"
#include "course/device_buffer.hpp"
#include "course/inputs.hpp"

/// What exercise.cuh defines, as pointers, so that this check serves every answer.
struct Submission {
  void (*filter_columns)(int n, int rows, const float* weights, const float* in, float* out);
};

Submission submission();

using course::DeviceBuffer;
using course_test::expect;
using course_test::launch;

namespace {

using course::kWarpSize;
constexpr int kThreads = 128;
constexpr int kTaps = 3;
constexpr double kTolerance = 16 * course::kFloatRounding;  // three products of values below 1

struct Filter {
  int n, rows;
  std::vector<float> weights = course::random_floats(kTaps, /*seed=*/4);
  std::vector<float> in = course::random_floats(std::size_t(n) * rows, /*seed=*/44);

  double expected(int row, int i) const {
    double sum = 0.0;
    for (int tap = 0; tap < kTaps && tap <= row; ++tap)
      sum += double(weights[tap]) * in[std::size_t(row - tap) * n + i];
    return sum;
  }

  std::string shape() const {
    return "n = " + std::to_string(n) + ", rows = " + std::to_string(rows);
  }
};

void check_values(const Filter& f, const std::vector<float>& out, const std::string& complaint) {
  for (int row = 0; row < f.rows; ++row) {
    for (int i = 0; i < f.n; ++i) {
      const float actual = out[std::size_t(row) * f.n + i];
      const double expected = f.expected(row, i);
      expect(std::abs(actual - expected) <= kTolerance,
             complaint + " For " + f.shape() + ", row " + std::to_string(row) + " of column " +
                 std::to_string(i) + " should be " + std::to_string(expected) + ", but it is " +
                 std::to_string(actual) +
                 (std::isnan(actual) ? ", which stands where no thread has written." : "."));
    }
  }
}

/// Filters from one array into another, then in place; returns what the first cost where the back
/// end counts.
std::optional<course::Counters> check_results(int n, int rows) {
  const Filter f = {.n = n, .rows = rows};
  const DeviceBuffer<float> weights(f.weights, "weights"), in(f.in, "in");
  DeviceBuffer<float> out(f.in.size(), "out"), both(f.in, "in and out");
  const int blocks = (n + kThreads - 1) / kThreads;
  const auto counted = course::count([&] {
    launch(submission().filter_columns, {blocks, kThreads}, n, rows, weights.data(), in.data(),
           out.data());
    course::check_launch();
  });
  check_values(f, out.to_host(), "`out` is wrong.");

  launch(submission().filter_columns, {blocks, kThreads}, n, rows, weights.data(), both.data(),
         both.data());
  course::check_launch();
  check_values(f, both.to_host(),
               "Right from one array into another, but wrong in place, with out == in: a row is "
               "overwritten before the rows below it are done with it, and a __restrict__ would "
               "promise that this cannot be.");
  return counted;
}

/// Returns what it costs, in words.
std::string check_loads(const course::Counters& counted, int n, int rows) {
  const std::uint64_t warps = n / kWarpSize;
  const std::uint64_t per_warp = counted.global_load.requests / warps;
  const std::uint64_t wanted = rows + kTaps;
  const std::string count =
      std::to_string(per_warp) + " load requests per warp for " + std::to_string(rows) + " rows";
  expect(per_warp >= wanted, count + ": the elements and the weights cannot all have been read.");
  expect(per_warp != std::uint64_t(kTaps + 1) * rows,
         "Nearly: " + count + ", and " + std::to_string(wanted) +
             " are enough: the weights are the same in every row.");
  expect(per_warp <= wanted,
         "The results are right, but there are " + count + "; " + std::to_string(wanted) +
             " are enough: each element once, and the " + std::to_string(kTaps) + " weights once.");
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  course_test::ExerciseCheck check("04", argc, argv);
  check.exercise(
      "1: filter in place, and read everything once",
      {"A thread that has read an element can keep it in a variable, which is a register: no store "
       "can change that, and nobody has to promise anything.",
       "Two variables, declared before the loop, hold the last element and the last but one. They "
       "begin as 0, which is what stands above row 0.",
       "The weights: read them into an array of three before the loop; `weights` may then point to "
       "that array. The array stays in registers, since every index is a constant.",
       "At 1b: above = last; two_above = last_but_one; (the compiler drops a load whose value "
       "nobody uses). At 1c both move on by one row: in which order?"},
      [] {
        for (const int rows : {1, 2, 3, 9})
          for (const int n : {1, 31, 33, 300}) check_results(n, rows);
        constexpr int kColumns = 256, kRows = 24;
        const auto counted = check_results(kColumns, kRows);
        return counted ? check_loads(*counted, kColumns, kRows) : "";
      });
  return check.finish();
}
