#pragma once

/// @file
/// What a submission is worth, and why.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace coursework {

/// What became of a submission.
enum class Outcome {
  points,
  does_not_compile,
  time_limit,
  memory_limit,
  crashed,       ///< the program ended, and no kernel's error says why
  refused,       ///< by a rule, which the message names
  grader_fault,  ///< not the student's
  not_handed_in,
};

/// "points", "does not compile", ...
std::string name_of(Outcome outcome);
/// @throws std::out_of_range for a name that name_of() does not give
Outcome outcome_named(const std::string& name);

/// What one requirement came to.
struct RequirementVerdict {
  std::string name;
  std::string text;  ///< what is wanted, in a sentence
  int points = 0;    ///< awarded
  int of = 0;
  bool holds = false;
  /// False where it was not reached: results are wrong, nothing is counted here, or it is as it
  /// should be and waits for another requirement.
  bool assessed = true;
  std::string found;   ///< "33 sectors per step of the loop, with m = 128"
  std::string wanted;  ///< "at most 5"
  std::string advice;  ///< a sentence for students; may be empty
};

struct Verdict {
  std::string exercise;  ///< id
  Outcome outcome = Outcome::points;
  std::string message;  ///< of any outcome but points: why, for the student
  std::vector<RequirementVerdict> requirements;
  std::string compiler_output;  ///< warnings; or errors, cut to the student's file

  int points() const;
  int of() const;
  bool is_right() const { return outcome == Outcome::points && points() == of(); }
};

nlohmann::ordered_json json_of(const Verdict& verdict);
/// What json_of() has written.
/// @throws nlohmann::json::exception, std::out_of_range for anything else
Verdict verdict_of(const nlohmann::ordered_json& json);

}  // namespace coursework
