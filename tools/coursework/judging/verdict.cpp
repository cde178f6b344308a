#include "tools/coursework/judging/verdict.hpp"

#include <numeric>

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
  }
  return "";
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

}  // namespace coursework
