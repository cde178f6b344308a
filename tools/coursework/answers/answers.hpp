#pragma once

/// @file
/// The files that a student fills in: answers/NN_K_name.cu.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

class Answers {
 public:
  explicit Answers(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path file_of(const Exercise& exercise) const;

  /// Writes the starter, creating the folder if necessary, unless the file exists. Returns whether
  /// it wrote a file.
  /// @throws std::runtime_error, also if the answer exists under a former number of the exercise
  bool make(const Exercise& exercise) const;

  /// Replaces the answer by the starter. Keeps the old file beside it as .bak, .bak2 and so on, and
  /// returns the kept file's path; an empty path if there was no answer.
  /// @throws std::runtime_error
  std::filesystem::path reset(const Exercise& exercise) const;

  /// Finds answers that exist only under a former number of their exercise, as when a chapter was
  /// inserted. Returns for each answer a line that says how to rename the file. With `id`,
  /// considers only files that begin with it, as 05_3_name.cu begins with 05_3.
  std::vector<std::string> renumbered(const std::vector<Exercise>& exercises,
                                      const std::string& id = "") const;

 private:
  std::filesystem::path folder_;
};

/// Returns a path as shown to somebody whose shell is in the folder `base`.
std::string shown(const std::filesystem::path& file,
                  const std::filesystem::path& base = std::filesystem::current_path());

/// Returns the current text of an answer.
/// @throws std::runtime_error whose one line says what is wrong: no file, a folder, not readable,
///         empty, binary, or too large for source code
std::string read_answer(const std::filesystem::path& file);

}  // namespace coursework
