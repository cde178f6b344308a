#include "tools/coursework/judging/verdict.hpp"

#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

namespace coursework {

std::string name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::points:
      return "points";
    case Outcome::does_not_compile:
      return "does not compile";
    case Outcome::time_limit:
      return "time limit";
    case Outcome::memory_limit:
      return "memory limit";
    case Outcome::refused:
      return "refused";
    case Outcome::grader_fault:
      return "grader fault";
    case Outcome::not_handed_in:
      return "not handed in";
  }
  return "";
}

Outcome outcome_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(Outcome::not_handed_in); ++i)
    if (const auto outcome = static_cast<Outcome>(i); name_of(outcome) == name) return outcome;
  throw std::out_of_range("there is no outcome \"" + name + "\"");
}

int Verdict::points() const {
  return std::accumulate(requirements.begin(), requirements.end(), 0,
                         [](int sum, const auto& one) { return sum + one.points; });
}

int Verdict::of() const {
  return std::accumulate(requirements.begin(), requirements.end(), 0,
                         [](int sum, const auto& one) { return sum + one.of; });
}

nlohmann::ordered_json json_of(const Verdict& verdict) {
  nlohmann::ordered_json json = {{"exercise", verdict.exercise},
                                 {"outcome", name_of(verdict.outcome)},
                                 {"points", verdict.points()},
                                 {"of", verdict.of()},
                                 {"message", verdict.message},
                                 {"requirements", nlohmann::ordered_json::array()},
                                 {"compiler_output", verdict.compiler_output}};
  for (const RequirementVerdict& one : verdict.requirements)
    json["requirements"].push_back({{"name", one.name},
                                    {"points", one.points},
                                    {"of", one.of},
                                    {"holds", one.holds},
                                    {"assessed", one.assessed},
                                    {"text", one.text},
                                    {"found", one.found},
                                    {"wanted", one.wanted},
                                    {"advice", one.advice}});
  return json;
}

Verdict verdict_of(const nlohmann::ordered_json& json) {
  Verdict verdict;
  verdict.exercise = json.at("exercise");
  verdict.outcome = outcome_named(json.at("outcome"));
  verdict.message = json.at("message");
  verdict.compiler_output = json.at("compiler_output");
  for (const auto& one : json.at("requirements"))
    verdict.requirements.push_back({one.at("name"), one.at("text"), one.at("points"), one.at("of"),
                                    one.at("holds"), one.at("assessed"), one.at("found"),
                                    one.at("wanted"), one.at("advice")});
  return verdict;
}

}  // namespace coursework
