#pragma once

/// @file
/// Extracts a part of the course: some chapters with all files needed to build them, and without
/// anything that the recipient must not see.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// The recipient of a part of the course.
enum class Reader {
  students,  ///< get lessons, starters and checks; no solutions, no hidden cases
  grader,    ///< gets the sources for grading; no lessons, no solutions
};

struct ExtractOptions {
  std::vector<Exercise> exercises;  ///< the lessons of their chapters are included
  Reader reader = Reader::students;
  bool hints = true;
};

struct ExtractedFile {
  std::string text;
  bool may_run = false;
};

/// Files by their path below the root of the part.
using ExtractedFiles = std::map<std::filesystem::path, ExtractedFile>;

/// Extracts the part of the course in `root` that `options` describes.
///
/// If `root` is a clone, extracts only files tracked by git, with their current text, so that an
/// instructor's private files stay private.
/// @throws std::runtime_error if a file cannot be read or parsed
ExtractedFiles extract(const std::filesystem::path& root, const ExtractOptions& options);

/// Writes the files below `folder`.
/// @throws std::runtime_error if one cannot be written
void write_files(const ExtractedFiles& files, const std::filesystem::path& folder);

/// Returns the exercises that `words` name ("02", "02_coalescing", or "02_1" for a single one), in
/// order and without duplicates.
/// @throws std::runtime_error for an unknown word
std::vector<Exercise> exercises_named(const std::vector<Exercise>& all,
                                      const std::vector<std::string>& words);

/// Returns the chapters of the exercises, in order and without duplicates.
std::vector<std::string> chapters_of(const std::vector<Exercise>& exercises);

}  // namespace coursework
