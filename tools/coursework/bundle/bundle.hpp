#pragma once

/// @file
/// What platforms take to grade with this course: a grader as source, and how it is called there.

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/handout/extract.hpp"

namespace coursework {

/// How one assignment is graded on a platform: bundle.json.
struct BundleSettings {
  std::vector<std::string> exercises;  ///< ids
  std::uint64_t seed = 0;              ///< 0: another one for each submission
  int minutes = 0;                     ///< for a whole submission; 0: what its exercises may take
  /// When Gradescope shows a requirement: "loads", or "02_1/loads" for one exercise alone, to
  /// "visible", "hidden", "after_due_date" or "after_published".
  std::map<std::string, std::string> visibility;
};

/// The least minutes in which every submission of these exercises is graded.
int minutes_for(const std::vector<Exercise>& exercises);

/// @throws std::runtime_error for a requirement or a word that there is not, and for too little
/// time
void check_settings(const BundleSettings& settings, const std::vector<Exercise>& exercises);

nlohmann::ordered_json json_of(const BundleSettings& settings);
BundleSettings read_settings(const std::filesystem::path& file);

/// The files of an autograder for Gradescope, of an assignment's folder for Classroom 50, and of a
/// GitHub workflow that checks answers. `root` is the course.
ExtractedFiles gradescope_bundle(const std::filesystem::path& root, const BundleSettings& settings);
ExtractedFiles classroom50_bundle(const std::filesystem::path& root,
                                  const BundleSettings& settings);
ExtractedFiles github_bundle(const std::filesystem::path& root, const BundleSettings& settings);

}  // namespace coursework
