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
///
/// An answer with other lines than the solution's is a file in the folder wrong/ beside it. Its
/// first lines are comments with `!` and `=`; the others say what is wrong:
///
///     // One warp does it all.
///     //! loads
///     //= requests of the busiest warp

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
  std::string text;  ///< of a file: the whole answer

  bool is_starter() const { return title == "the starter"; }
};

/// Those of wrong_answers.txt in `folder`, and then those in wrong/ by their names.
/// @throws std::runtime_error, which names the file and the line, or the answer without words
std::vector<WrongAnswer> read_wrong_answers(const std::filesystem::path& folder);

/// The solution with an answer's changes, or the answer's own text.
/// @throws std::runtime_error unless each changed line is there exactly once
std::string changed(const std::string& solution, const WrongAnswer& answer);

}  // namespace course_test
