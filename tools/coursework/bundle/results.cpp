#include "tools/coursework/bundle/results.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kMostCharacters = 8000;  // of what a platform shows in one place

std::string shortened(const std::string& text) {
  return text.size() <= kMostCharacters ? text : text.substr(0, kMostCharacters) + "\n[...]\n";
}

std::string text_at(const json& object, const char* key) {
  return object.at(key).get<std::string>();
}

/// Returns a labelled text: the label and, below it, the lines; nothing if the text is empty.
std::string line(const char* word, const std::string& text) {
  return text.empty() ? "" : word + text + "\n";
}

/// Returns the outcome of an exercise that was not judged; otherwise nothing.
std::string outcome(const json& exercise) {
  const std::string outcome = text_at(exercise, "outcome");
  return outcome == "points" ? "" : outcome + ": " + text_at(exercise, "message") + "\n";
}

/// Returns the feedback on one requirement.
std::string requirement_output(const json& exercise, const json& requirement) {
  std::string text = text_at(requirement, "text") + "\n" + outcome(exercise);
  if (text_at(exercise, "outcome") == "points")
    text += line("found: ", text_at(requirement, "found")) +
            line("wanted: ", text_at(requirement, "wanted")) +
            line("", text_at(requirement, "advice"));
  return shortened(text);
}

/// Returns notes about an exercise's file and the compiler's output.
std::string remarks(const json& exercise) {
  std::string text;
  for (const json& note : exercise.at("notes")) text += note.get<std::string>() + "\n";
  text += line("The compiler says:\n", text_at(exercise, "compiler_output"));
  return text.empty() ? "" : text_at(exercise, "exercise") + ": " + shortened(text);
}

/// Returns a requirement's name after its exercise's: "02_1 loads".
std::string test_name(const json& exercise, const json& requirement) {
  return text_at(exercise, "exercise") + " " + text_at(requirement, "name");
}

std::string visibility_of(const BundleSettings& settings, const json& exercise,
                          const json& requirement) {
  const std::string name = text_at(requirement, "name");
  for (const std::string& key : {text_at(exercise, "exercise") + "/" + name, name}) {
    const auto found = settings.visibility.find(key);
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

json gradescope_results(const json& exercises, const BundleSettings& settings, double seconds) {
  json tests = json::array();
  std::string all_remarks;
  for (const json& exercise : exercises) {
    all_remarks += remarks(exercise);
    for (const json& one : exercise.at("requirements"))
      tests.push_back({{"name", test_name(exercise, one)},
                       {"score", one.at("points")},
                       {"max_score", one.at("of")},
                       {"status", one.at("holds").get<bool>() ? "passed" : "failed"},
                       {"output", requirement_output(exercise, one)},
                       {"output_format", "text"},
                       {"visibility", visibility_of(settings, exercise, one)}});
  }
  return {{"output", all_remarks},
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

json classroom50_result(const json& exercises, const Classroom50Submission& submission,
                        const std::string& now) {
  json tests = json::array();
  int score = 0, of = 0;
  for (const json& exercise : exercises) {
    for (const json& one : exercise.at("requirements")) {
      tests.push_back({{"test-name", test_name(exercise, one)},
                       {"passed", one.at("holds")},
                       {"score", one.at("points")},
                       {"max-score", one.at("of")},
                       {"output", requirement_output(exercise, one)}});
      score += one.at("points").get<int>();
      of += one.at("of").get<int>();
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

std::string feedback_page(const json& exercises) {
  std::string text;
  for (const json& exercise : exercises) {
    text += text_at(exercise, "exercise") + " " + text_at(exercise, "title") + ": " +
            exercise.at("points").dump() + " of " + exercise.at("of").dump() + " points\n";
    for (const json& one : exercise.at("requirements"))
      text += "\n" + one.at("points").dump() + " of " + one.at("of").dump() + " for " +
              text_at(one, "name") + ": " + requirement_output(exercise, one);
    text += "\n" + remarks(exercise) + "\n";
  }
  std::string page;  // indented lines are code
  for (const std::string& one : tools::lines_of(text)) page += "    " + one + "\n";
  return page;
}

std::string text_of(const json& document) {
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace coursework
