#pragma once

/// @file
/// What a submission came to, as platforms read it.
///
/// `exercises` is what `coursework grade` writes of a student: the list of that name in
/// docs/grade.schema.json.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/coursework/bundle/bundle.hpp"

namespace coursework {

/// Gradescope's results.json: a test for each requirement.
nlohmann::ordered_json gradescope_results(const nlohmann::ordered_json& exercises,
                                          const BundleSettings& settings, double seconds);

/// Where a submission to Classroom 50 comes from, as its runner says in the environment.
struct Classroom50Submission {
  std::string classroom, assignment, submission, commit, release, review;
};

/// @throws std::runtime_error where the runner does not say it
Classroom50Submission classroom50_submission();

/// Classroom 50's result.json, which has whole numbers only. `now`: UTC, "2026-06-01T14:32:01Z".
nlohmann::ordered_json classroom50_result(const nlohmann::ordered_json& exercises,
                                          const Classroom50Submission& submission,
                                          const std::string& now);

/// All of it as Markdown, in which nothing that a submission brought along is markup.
std::string feedback_page(const nlohmann::ordered_json& exercises);

/// JSON as text. What a submission brought into a message and is no UTF-8 becomes a question mark.
std::string text_of(const nlohmann::ordered_json& document);

}  // namespace coursework
