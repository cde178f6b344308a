#pragma once

/// @file
/// Exercises that ask questions: a kernel `answers` writes what a student says, and the judge
/// compares it with what it counts.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/judging/requests.hpp"
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

/// Hands what a student says of question `number`, from 1 on, to the expressions of exercise.json:
/// said_1, and bounds least_1 and most_1. They say "more" or "less", and not how many.
void set_answer(Trial& trial, std::size_t number, double said, double counted);

/// How far the launches since count_from_here() are from a kernel that makes just these requests to
/// global memory: the requests, sectors and bytes that are missing or too many, and everything that
/// could do their work otherwise, such as atomic operations, bulk copies, shuffles and shared
/// memory. An experiment that was altered could count another answer. 0 where nobody counts.
double off_from(const Trial& trial, const PaperRequests& loads, const PaperRequests& stores);

/// A digest of the right answer to one of an exercise's questions, from 0 on; a letter's answer is
/// its code.
///
/// A check that counts needs no answers. One that must know them all the same, to see whether an
/// experiment is as it was given, compares digests: judge.cpp is handed out, and whoever reads it
/// is not to read what to write. A digest does not stop a search, which costs more than counting.
std::uint64_t answer_digest(const std::string& exercise, std::size_t question, double answer);

}  // namespace coursework
