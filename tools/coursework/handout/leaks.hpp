#pragma once

/// @file
/// Where a handout would tell how an exercise is solved.

#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/handout/extract.hpp"

namespace coursework {

/// A file that has lines of an exercise's solution.
struct Leak {
  std::string exercise;  ///< id
  std::filesystem::path file;
  std::vector<std::string> lines;  ///< of the solution, as it has them
  double share = 0;                ///< of the lines that the solution adds
  bool renamed = false;            ///< there, names of their own are others
};

/// From this share on, such a file is said to give the exercise away.
inline constexpr double kGivesAway = 0.5;

/// What a solution says and no starter of `handed_out` does: its lines without blanks and comments,
/// those that are too short to say anything left out. Each once.
std::vector<std::string> telling_lines(const Exercise& exercise,
                                       const std::vector<Exercise>& handed_out);

/// Every file among `files` that has one of these lines, for each of the exercises.
std::vector<Leak> find_leaks(const std::vector<Exercise>& handed_out, const ExtractedFiles& files);

/// The same for lessons, and whatever the lines' own names are: `threadIdx.x / width` is there if
/// `threadIdx.x / block` is. Only what has half of the longer lines, as less than that may be
/// chance.
std::vector<Leak> find_renamed_leaks(const std::vector<Exercise>& handed_out,
                                     const ExtractedFiles& files);

/// Whether the file may explain what an exercise asks for: a lesson's kernels and text, and the
/// hints. Anywhere else, a line of a solution is a mistake.
bool may_explain(const std::filesystem::path& file);

}  // namespace coursework
