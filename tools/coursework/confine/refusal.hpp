/// @file
/// The reason why a submission is refused.
#pragma once

#include <string>

namespace coursework::confine {

struct Refusal {
  int line = 0;         ///< of the submission, from 1; 0: unknown
  std::string rule;     ///< the rule's name: "assembly", "include", ...
  std::string message;  ///< one sentence for the student
};

}  // namespace coursework::confine
