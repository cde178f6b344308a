#pragma once

/// @file
/// Makes a repository for students: lessons, starters, and the check for answers.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/handout/leaks.hpp"

namespace coursework {

struct HandoutOptions {
  std::vector<std::string> words;  ///< chapters and exercises: "02", "09_1"
  bool hints = true;
  /// Markdown that says how to hand in; empty: students hand in the files of answers/
  std::string hand_in;
};

struct Handout {
  ExtractedFiles files;
  std::vector<Exercise> exercises;
  std::vector<Leak> leaks;  ///< lessons and hints that reveal a solution
};

/// Makes a handout of the course in `root`.
/// @throws std::runtime_error for an unknown chapter or exercise, and if a solution's line would be
///         handed out elsewhere than in a lesson or a hint
Handout make_handout(const std::filesystem::path& root, const HandoutOptions& options);

/// Throws if the folder is not empty or is not a folder.
/// @throws std::runtime_error
void require_empty(const std::filesystem::path& folder);

}  // namespace coursework
