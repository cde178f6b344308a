#pragma once

/// @file
/// Bundles for grading platforms: the grader as source, and the platform's files that call it.

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/handout/extract.hpp"

namespace coursework {

/// Settings for grading one assignment on a platform: bundle.json.
struct BundleSettings {
  std::vector<std::string> exercises;  ///< ids
  std::uint64_t seed = 0;              ///< 0: a new seed for each submission
  int minutes = 0;                     ///< for a whole submission; 0: computed from the exercises
  /// When Gradescope shows a requirement. Maps "loads", or "02_1/loads" for one exercise, to
  /// "visible", "hidden", "after_due_date" or "after_published".
  std::map<std::string, std::string> visibility;
};

/// Returns the minutes that suffice to grade any submission of these exercises.
int minutes_for(const std::vector<Exercise>& exercises);

/// @throws std::runtime_error for an unknown requirement or visibility, and for too little time
void check_settings(const BundleSettings& settings, const std::vector<Exercise>& exercises);

nlohmann::ordered_json json_of(const BundleSettings& settings);
BundleSettings read_settings(const std::filesystem::path& file);

/// Returns the files of an autograder for Gradescope, of an assignment's folder for Classroom 50,
/// or of a GitHub workflow that checks answers. `root` is the course's folder.
ExtractedFiles gradescope_bundle(const std::filesystem::path& root, const BundleSettings& settings);
ExtractedFiles classroom50_bundle(const std::filesystem::path& root,
                                  const BundleSettings& settings);
ExtractedFiles github_bundle(const std::filesystem::path& root, const BundleSettings& settings);

}  // namespace coursework
