#pragma once

/// @file
/// Judges exercises that ask questions: a kernel `answers` writes the student's answers, and the
/// judge compares them with its own counts.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace coursework {

/// Returns the values that the kernel `answers` writes: numbers or letters, one for each of
/// `questions`.
template <class T>
std::vector<T> answers_to(Trial& trial, std::size_t questions) {
  const auto answers = trial.output<T>(questions);
  trial.launch("answers", {1, 1}, answers);
  return trial.read(answers);
}

/// Ends the trial unless `said` equals `counted`. The message does not reveal the right number;
/// `reasons` explains some of the wrong ones.
inline void expect_counted(const Trial& trial, int said, int counted,
                           const std::map<int, std::string>& reasons) {
  if (said == counted) return;
  const auto reason = reasons.find(said);
  trial.expect(false, "You say " + std::to_string(said) +
                          ", and the hardware counts another number." +
                          (reason == reasons.end() ? "" : " " + reason->second));
}

/// How the lower bound of an answer is called in exercise.json, before its number.
inline constexpr const char* kLeastOfAnswer = "least_";

/// Sets the student's answer to question `number` (from 1) for the expressions of exercise.json:
/// said_1, and bounds least_1 and most_1. The verdict says "more" or "less", and no number.
void set_answer(Trial& trial, std::size_t number, double said, double counted);

/// Measures how far the launches since count_from_here() are from a kernel that makes exactly these
/// requests to global memory. Adds up the requests, sectors and bytes that are missing or too many,
/// and everything that could do the same work in another way, such as atomic operations, bulk
/// copies, shuffles and shared memory. An experiment that was altered would have another answer.
/// Returns 0 if nothing is counted.
double off_from(const Trial& trial, const PaperRequests& loads, const PaperRequests& stores);

/// Returns a digest of the right answer to one of an exercise's questions, numbered from 0. A
/// letter is given by its character code.
///
/// A check that counts needs no answers. A check that verifies whether an experiment is unaltered
/// must know the answer, so judge.cpp, which is handed out, holds the digest instead. A digest does
/// not prevent a search, but searching is more work than counting.
std::uint64_t answer_digest(const std::string& exercise, std::size_t question, double answer);

}  // namespace coursework
