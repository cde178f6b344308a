#pragma once

/// @file
/// A part of the course as files: some of its chapters with everything that they need to be built,
/// and nothing that the reader of this part must not see.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Who gets a part of the course.
enum class Reader {
  students,  ///< lessons, starters, what checks an answer; no solution and no case of the grader's
  grader,    ///< what grades a submission; no lesson and no solution either
};

struct ExtractOptions {
  std::vector<Exercise> exercises;  ///< with the lessons of their chapters
  Reader reader = Reader::students;
  bool hints = true;
};

struct ExtractedFile {
  std::string text;
  bool may_run = false;
};

/// By their path below the root of the part.
using ExtractedFiles = std::map<std::filesystem::path, ExtractedFile>;

/// The part of the course in `root` that `options` asks for.
///
/// Where `root` is a clone, only files that git knows are taken, as they stand in the folder now:
/// what an instructor keeps beside them for themselves stays there.
/// @throws std::runtime_error where a file cannot be read or understood
ExtractedFiles extract(const std::filesystem::path& root, const ExtractOptions& options);

/// Writes the files below `folder`.
/// @throws std::runtime_error where one cannot be written
void write_files(const ExtractedFiles& files, const std::filesystem::path& folder);

/// The exercises that `words` mean ("02", "02_coalescing", or "02_1" for one alone), in order and
/// once each.
/// @throws std::runtime_error for a word that means nothing
std::vector<Exercise> exercises_named(const std::vector<Exercise>& all,
                                      const std::vector<std::string>& words);

/// The chapters of the exercises, in order and once each.
std::vector<std::string> chapters_of(const std::vector<Exercise>& exercises);

}  // namespace coursework
