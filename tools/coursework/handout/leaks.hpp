#pragma once

/// @file
/// Finds places of a handout that reveal a solution.

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/handout/extract.hpp"

namespace coursework {

/// A file that contains lines of an exercise's solution.
struct Leak {
  std::string exercise;  ///< id
  std::filesystem::path file;
  std::vector<std::string> lines;  ///< the solution's lines in their original form
  double share = 0;                ///< fraction of the lines that the solution adds to the starter
  bool renamed = false;            ///< the lines match except for renamed variables
};

/// From this share on, the file is reported to reveal the solution.
inline constexpr double kGivesAway = 0.5;

/// Returns the solution's lines that no starter of `handed_out` contains, without blanks, comments,
/// short lines and duplicates.
std::vector<std::string> telling_lines(const Exercise& exercise,
                                       const std::vector<Exercise>& handed_out);

/// Finds all files that contain one of these lines, for each exercise.
std::vector<Leak> find_leaks(const std::vector<Exercise>& handed_out, const ExtractedFiles& files);

/// Finds lessons that contain these lines with other variable names: `threadIdx.x / width` matches
/// `threadIdx.x / block`. Reports only files with at least half of the longer lines; fewer may be a
/// coincidence.
std::vector<Leak> find_renamed_leaks(const std::vector<Exercise>& handed_out,
                                     const ExtractedFiles& files);

/// Returns whether a file may explain solutions: a lesson's text and kernels, and hints. In any
/// other file, a solution's line is a mistake.
bool may_explain(const std::filesystem::path& file);

}  // namespace coursework
