/// Answers to an exercise that are wrong, as tests/chapters/NN_name/exercises/K_name/
/// wrong_answers.txt lists them.
///
///     [what is wrong]
///     - a line of the solution
///     + what stands there instead
///     ! loads, stores
///     = words that the verdict must contain
///
/// There may be several pairs of - and +. The line with ! is not needed; where there is one, just
/// these requirements lose their points. [the starter] changes nothing, and is what a student
/// begins with.

#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace course_test {

struct WrongAnswer {
  std::string title;
  std::vector<std::pair<std::string, std::string>> changes;  ///< of lines, without blanks around
  std::vector<std::string> lost;                             ///< requirements; empty: any
  std::string words;

  bool is_starter() const { return title == "the starter"; }
};

/// @throws std::runtime_error, which names the file and the line, or the answer without words
std::vector<WrongAnswer> read_wrong_answers(const std::filesystem::path& file);

/// The solution with an answer's changes.
/// @throws std::runtime_error unless each changed line is there exactly once
std::string changed(const std::string& solution, const WrongAnswer& answer);

}  // namespace course_test
