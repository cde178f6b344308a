#pragma once

/// @file
/// Exercises that ask questions: a kernel `answers` writes what a student says, and the judge
/// compares it with what it counts.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/judging/trial.hpp"

namespace coursework {

/// What the kernel `answers` writes: numbers, or letters, one for each of `questions`.
template <class T>
std::vector<T> answers_to(Trial& trial, std::size_t questions) {
  const auto answers = trial.output<T>(questions);
  trial.launch("answers", {1, 1}, answers);
  return trial.read(answers);
}

/// Ends the trial unless `said` is what was counted. The right number stays untold; `reasons` says
/// what led to some of the wrong ones.
inline void expect_counted(const Trial& trial, int said, int counted,
                           const std::map<int, std::string>& reasons) {
  if (said == counted) return;
  const auto reason = reasons.find(said);
  trial.expect(false, "You say " + std::to_string(said) +
                          ", and the hardware counts another number." +
                          (reason == reasons.end() ? "" : " " + reason->second));
}

}  // namespace coursework
