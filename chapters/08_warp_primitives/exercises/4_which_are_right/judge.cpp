#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/questions.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_08_4 {

using course::kWarpSize;
using coursework::Trial;

constexpr int kWays = 5, kPart = 20;
/// What is to be said of each way as it was given: digests of the right letters.
constexpr std::uint64_t kAsGiven[kWays] = {0xcdde33c498e73b99, 0x1b0cda6a64f18630,
                                           0xe9f8f643148b98d0, 0x1a426069749cf477,
                                           0x4ca57135de73f265};

/// What comes out of a way with the first n of the values.
int sum_of(Trial& trial, int way, int n, const std::vector<int>& values) {
  const auto sum = trial.output<int>(1);
  trial.launch("add_up", {1, kWarpSize}, way, n, trial.input(values), sum);
  return trial.read(sum)[0];
}

/// Whether this tool of the checker has found anything.
bool has_found(const std::vector<coursework::Finding>& findings, const char* tool) {
  return std::ranges::any_of(findings, [&](const auto& finding) { return finding.tool == tool; });
}

/// The letter that the results of a way stand for, and what the checker finds in it.
char letter_of(Trial& trial, int way) {
  const std::vector<int> values = course::random_ints(kWarpSize, trial.seed(1), 1, 1000);
  const int whole = sum_of(trial, way, kWarpSize, values);
  const int part = sum_of(trial, way, kPart, values);
  const auto findings = trial.take_findings();
  if (has_found(findings, "racecheck")) return 'd';
  if (has_found(findings, "synccheck")) return 'b';

  int even_lanes = 0;
  for (int lane = 0; lane < kWarpSize; lane += 2) even_lanes += values[lane];
  if (whole == even_lanes) return 'c';
  if (whole == std::accumulate(values.begin() + kWarpSize / 2, values.end(), 0)) return 'e';
  const bool is_right = whole == std::accumulate(values.begin(), values.end(), 0) &&
                        part == std::accumulate(values.begin(), values.begin() + kPart, 0);
  return is_right ? 'a' : '?';
}

void judge(Trial& trial) {
  const int way = trial["way"];
  // Before anything runs whose sums could be told to the kernel that answers.
  const char answer = coursework::answers_to<char>(trial, kWays)[way];
  const auto is_right = [&](char letter) {
    return coursework::answer_digest("08_4", way, letter) == kAsGiven[way];
  };
  // On a GPU nobody finds the race or the read from a lane outside the mask: sums come out right.
  const char found = letter_of(trial, way);
  trial.expect(
      !course::backend().reports_counters || is_right(found),
      "Way " + std::to_string(way) + " is not as it was given. Take it from a new starter.");

  constexpr int kNoLetter = 7;
  const int number = answer >= 'a' && answer <= 'f' ? answer - 'a' + 1 : kNoLetter;
  trial.set("wrong_letter", is_right(answer) ? 0 : number);
}

const coursework::Registered registered("08_4", judge);

}  // namespace exercise_08_4
