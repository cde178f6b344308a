#pragma once

/// @file
/// The watched exercises, the current text of their answers, and their verdicts.

#include <optional>
#include <string>
#include <vector>

#include "tools/coursework/answers/answers.hpp"
#include "tools/coursework/answers/progress.hpp"
#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// An answer's text, or the reason why there is none.
struct Answer {
  std::string text;
  std::string fault;

  bool operator==(const Answer&) const = default;
};

/// Reads the answers' files; runs nothing.
class Board {
 public:
  Board(std::vector<Exercise> exercises, Answers answers);

  std::size_t size() const { return exercises_.size(); }
  const Exercise& exercise(std::size_t number) const { return exercises_.at(number); }
  const Answers& answers() const { return answers_; }

  /// Reads all answers again, and returns the numbers of those that changed.
  std::vector<std::size_t> look();

  const Answer& answer(std::size_t number) const { return seen_.at(number); }
  Progress::State state(std::size_t number) const;
  /// Returns how many current answers are right.
  std::size_t count_right() const;
  /// Returns the first exercise that is not known to be right; the last one if all are.
  std::size_t first_open() const;

  /// Returns the verdict on the current text of the answer.
  const Verdict* verdict(std::size_t number) const;
  /// Returns the last verdict, even if the answer has changed since.
  const Verdict* last_verdict(std::size_t number) const;
  void keep(std::size_t number, const std::string& answer, const Verdict& verdict);
  void forget(std::size_t number) { judged_.at(number).reset(); }

  /// Returns an exercise whose answer was edited but not judged yet.
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
