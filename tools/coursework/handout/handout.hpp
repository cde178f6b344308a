#pragma once

/// @file
/// A repository for students: chapters with their lessons, starters, and what checks an answer.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/handout/leaks.hpp"

namespace coursework {

struct HandoutOptions {
  std::vector<std::string> words;  ///< chapters and exercises: "02", "09_1"
  bool hints = true;
  std::string hand_in;  ///< Markdown; empty: the files of answers/, under their names
};

struct Handout {
  ExtractedFiles files;
  std::vector<Exercise> exercises;
  std::vector<Leak> leaks;  ///< of lessons and hints that give an exercise away
};

/// Puts a handout of the course in `root` together.
/// @throws std::runtime_error for an unknown chapter or exercise, and where a line of a solution
///         would be handed out in anything but a lesson or a hint
Handout make_handout(const std::filesystem::path& root, const HandoutOptions& options);

/// Refuses a folder that has something in it already, or that is no folder.
/// @throws std::runtime_error
void require_empty(const std::filesystem::path& folder);

}  // namespace coursework
