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

  /// Writes the starter, and the folder, where there is no file yet; whether it did.
  /// @throws std::runtime_error, also where the answer is there under a number that the exercise
  ///         had before
  bool make(const Exercise& exercise) const;

  /// Puts the starter in the answer's place. What stood there is kept beside it, as .bak, .bak2
  /// and so on: where it is now; empty if there was nothing.
  /// @throws std::runtime_error
  std::filesystem::path reset(const Exercise& exercise) const;

  /// Answers to these exercises that are there only under another number, as when a chapter came
  /// in between: a line for each, which says how to rename it. With `id`, only files that begin
  /// with it, as 05_3_name.cu does with 05_3.
  std::vector<std::string> renumbered(const std::vector<Exercise>& exercises,
                                      const std::string& id = "") const;

 private:
  std::filesystem::path folder_;
};

/// How a path is shown to somebody whose shell is in the folder `base`.
std::string shown(const std::filesystem::path& file,
                  const std::filesystem::path& base = std::filesystem::current_path());

/// The text of an answer as it is now.
/// @throws std::runtime_error in one line where there is none: no file, a folder, not readable,
///         empty, binary, or too large for source code
std::string read_answer(const std::filesystem::path& file);

}  // namespace coursework
