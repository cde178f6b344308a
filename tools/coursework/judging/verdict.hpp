#pragma once

/// @file
/// The verdict on a submission: points and reasons.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace coursework {

/// How judging a submission ended.
enum class Outcome {
  points,
  does_not_compile,
  time_limit,
  memory_limit,
  crashed,       ///< the program ended without an error of a kernel
  refused,       ///< by a rule, which the message names
  grader_fault,  ///< not the student's mistake
  not_handed_in,
};

/// "points", "does not compile", ...
std::string name_of(Outcome outcome);
/// @throws std::out_of_range for a name that name_of() does not return
Outcome outcome_named(const std::string& name);

/// The verdict on one requirement.
struct RequirementVerdict {
  std::string name;
  std::string text;  ///< the requirement in a sentence
  int points = 0;    ///< awarded
  int of = 0;
  bool holds = false;
  /// False if the requirement was not judged: results are wrong, nothing is counted here, or it
  /// holds but another requirement that it needs does not.
  bool assessed = true;
  std::string found;   ///< "33 sectors per step of the loop, with m = 128"
  std::string wanted;  ///< "at most 5"
  std::string advice;  ///< a sentence for students; possibly empty
};

struct Verdict {
  std::string exercise;  ///< id
  Outcome outcome = Outcome::points;
  std::string message;  ///< for any outcome but points: the reason, for the student
  std::vector<RequirementVerdict> requirements;
  std::string compiler_output;  ///< warnings, or errors cut to the student's file

  int points() const;
  int of() const;
  bool is_right() const { return outcome == Outcome::points && points() == of(); }
};

nlohmann::ordered_json json_of(const Verdict& verdict);
/// Reads a verdict that json_of() has written.
/// @throws nlohmann::json::exception, std::out_of_range for other input
Verdict verdict_of(const nlohmann::ordered_json& json);

}  // namespace coursework
