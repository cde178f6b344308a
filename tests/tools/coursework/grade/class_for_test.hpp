#pragma once

/// @file
/// A made-up class: answers to an exercise of the course in folders of students.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace grade_test {

namespace fs = std::filesystem;

/// Returns the exercise that tests grade: it compiles quickly.
inline coursework::Exercise exercise() {
  return coursework::read_exercise(tools::source_folder() /
                                   "chapters/02_coalescing/exercises/1_row_from_a_line");
}

/// Replaces the first `from` in `text` by `to`.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("there is no " + from);
  return text.replace(at, from.size(), to);
}

inline std::string solution() { return coursework::solution_of(exercise()); }
inline std::string starter() { return coursework::starter_of(exercise()); }
inline std::string wrong() { return with(solution(), "sum += A", "sum -= A"); }
inline std::string broken() { return with(solution(), "float sum", "flot sum"); }

/// Runs the program with the options for a class.
inline tools::CommandResult run_coursework(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {std::string(COURSE_PROGRAM_FOLDER) + "/coursework", "grade"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  tools::CommandOptions options;
  options.time_limit = std::chrono::seconds(500);
  return tools::run_command(command, options);
}

}  // namespace grade_test
