#pragma once

/// @file
/// The exercises that are watched: what their answers say now, and what is known of them.

#include <optional>
#include <string>
#include <vector>

#include "tools/coursework/answers/answers.hpp"
#include "tools/coursework/answers/progress.hpp"
#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// What there is in the place of an answer: its text, or why it has none.
struct Answer {
  std::string text;
  std::string fault;

  bool operator==(const Answer&) const = default;
};

/// Reads files, runs nothing.
class Board {
 public:
  Board(std::vector<Exercise> exercises, Answers answers);

  std::size_t size() const { return exercises_.size(); }
  const Exercise& exercise(std::size_t number) const { return exercises_.at(number); }
  const Answers& answers() const { return answers_; }

  /// Reads all answers anew; which of them are others than before.
  std::vector<std::size_t> look();

  const Answer& answer(std::size_t number) const { return seen_.at(number); }
  Progress::State state(std::size_t number) const;
  /// How many answers are right as they are now.
  std::size_t count_right() const;
  /// The first one that is not known to be right; the last if all are.
  std::size_t first_open() const;

  /// The verdict on the answer as it is now.
  const Verdict* verdict(std::size_t number) const;
  /// The last verdict, on whatever answer there was.
  const Verdict* last_verdict(std::size_t number) const;
  void keep(std::size_t number, const std::string& answer, const Verdict& verdict);
  void forget(std::size_t number) { judged_.at(number).reset(); }

  /// An answer that nobody has judged yet, though somebody has worked on it.
  std::optional<std::size_t> unknown() const;

 private:
  struct Judged {
    std::string answer;
    Verdict verdict;
  };

  std::vector<Exercise> exercises_;
  std::vector<std::string> starters_;
  Answers answers_;
  Progress progress_;
  std::vector<Answer> seen_;
  std::vector<std::optional<Judged>> judged_;
};

}  // namespace coursework
