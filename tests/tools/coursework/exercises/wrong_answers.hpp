/// Reads wrong answers to an exercise, listed in tests/chapters/NN_name/exercises/K_name/
/// wrong_answers.txt.
///
///     [what is wrong]
///     - a line of the solution
///     + what stands there instead
///     ! loads, stores
///     = words that the verdict must contain
///
/// There may be several pairs of - and +. The optional line with ! lists exactly the requirements
/// that lose points. [the starter] changes nothing and stands for the starter itself.
///
/// An answer with lines of its own is a file in the folder wrong/ beside the list. Its first
/// comments may begin with `!` and `=`; the others say what is wrong:
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
  std::vector<std::pair<std::string, std::string>> changes;  ///< changed lines, trimmed
  std::vector<std::string> lost;                             ///< requirements; empty: any
  std::string words;
  std::string text;  ///< for a file, the whole answer

  bool is_starter() const { return title == "the starter"; }
};

/// Reads the answers of wrong_answers.txt in `folder`, then those in wrong/ by name.
/// @throws std::runtime_error that names the file and the line, or the answer without a description
std::vector<WrongAnswer> read_wrong_answers(const std::filesystem::path& folder);

/// Returns the solution with an answer's changes, or the answer's own text.
/// @throws std::runtime_error unless each changed line occurs exactly once
std::string changed(const std::string& solution, const WrongAnswer& answer);

}  // namespace course_test
