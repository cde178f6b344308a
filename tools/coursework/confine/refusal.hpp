/// @file
/// Why a submission is not run.
#pragma once

#include <string>

namespace coursework::confine {

struct Refusal {
  int line = 0;         ///< of the submission, from 1; 0: not known
  std::string rule;     ///< its name in the table of rules: "assembly", "include", ...
  std::string message;  ///< one sentence for the student
};

}  // namespace coursework::confine
