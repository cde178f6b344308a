#include "tools/coursework/bundle/results.hpp"

#include <cstdlib>
#include <stdexcept>

#include "tools/coursework/show/verdict_lines.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kMostCharacters = 8000;  // of what a platform shows for one test

std::string shortened(const std::string& text) {
  return text.size() <= kMostCharacters ? text : text.substr(0, kMostCharacters) + "\n[...]\n";
}

/// What the student is told of one requirement.
std::string say(const Verdict& verdict, const RequirementVerdict& one) {
  std::string text = one.text + "\n";
  if (verdict.outcome != Outcome::points) {
    text += name_of(verdict.outcome) + ": " + verdict.message + "\n";
  } else {
    text += "found: " + one.found + "\n";
    if (!one.wanted.empty()) text += "wanted: " + one.wanted + "\n";
    if (!one.advice.empty()) text += one.advice + "\n";
  }
  return shortened(text);
}

/// An exercise's name in front of its requirement's: "02_1 loads".
std::string test_name(const Graded& one, const RequirementVerdict& requirement) {
  return one.exercise.id + " " + requirement.name;
}

std::string visibility_of(const BundleSettings& settings, const Graded& one,
                          const RequirementVerdict& requirement) {
  for (const std::string& name : {one.exercise.id + "/" + requirement.name, requirement.name}) {
    const auto found = settings.visibility.find(name);
    if (found != settings.visibility.end()) return found->second;
  }
  return "visible";
}

std::string required_variable(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr || *value == '\0')
    throw std::runtime_error(std::string("the runner of Classroom 50 does not say ") + name);
  return value;
}

}  // namespace

json gradescope_results(const std::vector<Graded>& graded, const BundleSettings& settings,
                        double seconds) {
  json tests = json::array();
  std::string compiler;
  for (const Graded& one : graded) {
    for (const RequirementVerdict& requirement : one.verdict.requirements)
      tests.push_back({{"name", test_name(one, requirement)},
                       {"score", requirement.points},
                       {"max_score", requirement.of},
                       {"status", requirement.holds ? "passed" : "failed"},
                       {"output", say(one.verdict, requirement)},
                       {"output_format", "text"},
                       {"visibility", visibility_of(settings, one, requirement)}});
    if (!one.verdict.compiler_output.empty())
      compiler += "What the compiler says of " + one.exercise.file_name() + ":\n" +
                  shortened(one.verdict.compiler_output) + "\n";
  }
  return {{"output", compiler},
          {"output_format", "text"},
          {"execution_time", seconds},
          {"stdout_visibility", "hidden"},
          {"tests", tests}};
}

Classroom50Submission classroom50_submission() {
  Classroom50Submission from;
  from.classroom = required_variable("CLASSROOM");
  from.assignment = required_variable("ASSIGNMENT");
  from.submission = required_variable("SUBMISSION_TAG");
  from.commit = required_variable("COMMIT_URL");
  from.release = required_variable("RELEASE_URL");
  const char* const review = std::getenv("REVIEW_URL");
  from.review = review == nullptr || *review == '\0' ? from.commit : review;
  return from;
}

json classroom50_result(const std::vector<Graded>& graded, const Classroom50Submission& submission,
                        const std::string& now) {
  json tests = json::array();
  int score = 0, of = 0;
  for (const Graded& one : graded) {
    for (const RequirementVerdict& requirement : one.verdict.requirements) {
      tests.push_back({{"test-name", test_name(one, requirement)},
                       {"passed", requirement.holds},
                       {"score", requirement.points},
                       {"max-score", requirement.of},
                       {"output", say(one.verdict, requirement)}});
      score += requirement.points;
      of += requirement.of;
    }
  }
  return {{"schema", "classroom50/result/v1"},
          {"classroom", submission.classroom},
          {"assignment", submission.assignment},
          {"submission", submission.submission},
          {"commit", submission.commit},
          {"release", submission.release},
          {"review", submission.review},
          {"datetime", now},
          {"score", score},
          {"max-score", of},
          {"tests", tests}};
}

std::string feedback_page(const std::vector<Graded>& graded) {
  std::string page;
  for (const Graded& one : graded) {
    const std::string text =
        text_of(one.verdict, one.exercise.title) + "\n" + shortened(one.verdict.compiler_output);
    // Indented lines are code: nothing that a submission brought into them is markup.
    for (const std::string& line : tools::lines_of(text)) page += "    " + line + "\n";
    page += "\n";
  }
  return page;
}

std::string text_of(const json& document) {
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace coursework
