#pragma once

/// @file
/// Verdicts as platforms read them.

#include <string>
#include <vector>

#include "tools/coursework/bundle/bundle.hpp"
#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// A verdict on one exercise of a submission.
struct Graded {
  Exercise exercise;
  Verdict verdict;
};

/// Gradescope's results.json: a test for each requirement.
nlohmann::ordered_json gradescope_results(const std::vector<Graded>& graded,
                                          const BundleSettings& settings, double seconds);

/// Where a submission to Classroom 50 comes from, as its runner says in the environment.
struct Classroom50Submission {
  std::string classroom, assignment, submission, commit, release, review;
};

/// @throws std::runtime_error where the runner does not say it
Classroom50Submission classroom50_submission();

/// Classroom 50's result.json, which has whole numbers only. `now`: UTC, "2026-06-01T14:32:01Z".
nlohmann::ordered_json classroom50_result(const std::vector<Graded>& graded,
                                          const Classroom50Submission& submission,
                                          const std::string& now);

/// All verdicts as a student reads them, as Markdown that shows them as they are.
std::string feedback_page(const std::vector<Graded>& graded);

/// JSON as text. What a submission brought into a message and is no UTF-8 becomes a question mark.
std::string text_of(const nlohmann::ordered_json& document);

}  // namespace coursework
