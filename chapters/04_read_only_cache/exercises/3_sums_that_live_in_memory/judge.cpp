#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "course/compare.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_04_3 {

using course::divide_up;
using coursework::Trial;

constexpr int kThreads = 128;
/// Digests of the right answers: the kernel is no longer as it was given.
constexpr std::array<std::uint64_t, 2> kAsGiven = {0x3a8ec668b330f1d8, 0x125047a904103e04};

/// Where the results go, in elements from the beginning of the table.
struct Places {
  std::size_t sums, largest;
};

Places places_in(int n, int rows, int in_place) {
  const std::size_t last = std::size_t(rows - 1) * n;
  return in_place == 1 ? Places{0, std::size_t(n)} : Places{last, 0};
}

/// What the results take where a warp has 32 neighbouring columns.
double sectors_of(int n, const Places& places) {
  coursework::PaperRequests stores;
  for (const std::size_t first : {places.sums, places.largest})
    for (int begin = 0; begin < n; begin += course::kWarpSize) {
      for (int i = begin; i < std::min(begin + course::kWarpSize, n); ++i)
        stores.lane(static_cast<std::int64_t>(first) + i);
      stores.end_request();
    }
  return static_cast<double>(stores.sectors());
}

/// Ends the trial unless `said` is right; the right number stays untold.
void expect_answer(const Trial& trial, const std::string& what, std::size_t question, int said,
                   const std::map<int, std::string>& reasons) {
  if (coursework::answer_digest("04_3", question, said) == kAsGiven[question]) return;
  const auto reason = reasons.find(said);
  trial.expect(false, "It is not " + std::to_string(said) + ' ' + what + " in each turn." +
                          (reason == reasons.end() ? "" : ' ' + reason->second));
}

void judge_answers(Trial& trial) {
  trial.measure_nothing();
  const auto said = coursework::answers_to<int>(trial, kAsGiven.size());
  expect_answer(trial, "loads", 0, said[0],
                {{0, "Read the two lines of the loop, and count what each must load."},
                 {1, "The element is one. But what does += add to, and fmaxf compare with?"},
                 {2, "Each line loads something of its own, too: the sum, or the largest element."},
                 {3,
                  "May the element of the second line still be in a register? A store stands "
                  "between, and it may have changed `in`."}});
  expect_answer(trial, "stores", 1, said[1],
                {{1, "There are two results, and nobody promises that they can wait."}});
}

void judge(Trial& trial) {
  if (trial.group() == "given") return judge_answers(trial);

  const int n = trial["n"], rows = trial["rows"], in_place = trial["in_place"];
  const auto values = course::random_floats(std::size_t(n) * rows, trial.seed(1));
  const auto in = trial.input(values);
  const Places places = in_place ? places_in(n, rows, in_place) : Places{0, 0};
  trial.set("sectors", sectors_of(n, places));
  const auto sums = in_place ? in.from(places.sums) : trial.output<float>(n);
  const auto largest = in_place ? in.from(places.largest) : trial.output<float>(n);
  trial.launch("sum_columns", {divide_up(n, kThreads), kThreads}, n, rows, in, sums, largest);

  // A whole array is read, from its beginning.
  const auto all_sums = trial.read(sums), all_largest = trial.read(largest);
  const std::string complaint =
      in_place ? "Wrong where results lie in the table: a row is overwritten before everybody is "
                 "done with it. "
               : "";
  for (int i = 0; i < n; ++i) {
    double sum = 0.0, magnitude = 0.0;
    float most = -INFINITY;
    for (int row = 0; row < rows; ++row) {
      const float value = values[std::size_t(row) * n + i];
      sum += value;
      magnitude += std::abs(value);
      most = std::max(most, value);
    }
    const float found = all_sums[places.sums + i], found_most = all_largest[places.largest + i];
    trial.expect(std::abs(found - sum) <= rows * course::kFloatRounding * magnitude,
                 complaint + "The sum of column " + std::to_string(i) + " should be " +
                     std::to_string(sum) + ", but it is " + std::to_string(found) + ".");
    trial.expect(found_most == most, complaint + "The largest element of column " +
                                         std::to_string(i) + " should be " + std::to_string(most) +
                                         ", but it is " + std::to_string(found_most) + ".");
  }
}

const coursework::Registered registered("04_3", judge);

}  // namespace exercise_04_3
