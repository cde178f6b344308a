#pragma once

/// @file
/// Converts the results of a submission to the formats of platforms.
///
/// `exercises` is the list of that name that `coursework grade` writes for a student
/// (docs/grade.schema.json).

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/coursework/bundle/bundle.hpp"

namespace coursework {

/// Returns Gradescope's results.json, with a test for each requirement.
nlohmann::ordered_json gradescope_results(const nlohmann::ordered_json& exercises,
                                          const BundleSettings& settings, double seconds);

/// The origin of a submission to Classroom 50, read from environment variables.
struct Classroom50Submission {
  std::string classroom, assignment, submission, commit, release, review;
};

/// @throws std::runtime_error if a variable is missing
Classroom50Submission classroom50_submission();

/// Returns Classroom 50's result.json, whose numbers are whole. `now`: UTC, "2026-06-01T14:32:01Z".
nlohmann::ordered_json classroom50_result(const nlohmann::ordered_json& exercises,
                                          const Classroom50Submission& submission,
                                          const std::string& now);

/// Returns all results as Markdown; text from the submission is escaped.
std::string feedback_page(const nlohmann::ordered_json& exercises);

/// Returns JSON as text. Invalid UTF-8 from a submission becomes a question mark.
std::string text_of(const nlohmann::ordered_json& document);

}  // namespace coursework
