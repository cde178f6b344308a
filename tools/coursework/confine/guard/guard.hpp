/// @file
/// The runner's interface to the guards of a confined submission.
#pragma once

#include <string>
#include <vector>

namespace coursework::guard {

/// An access or call that no honest kernel makes. The kernel was ended before it happened.
struct Violation {
  std::string what;
  std::string place;  ///< "02_1_from_a_line.cu:12"; empty if unknown
};

/// Returns violations since the last call, at most one for each block running at the time.
std::vector<Violation> take_violations();

}  // namespace coursework::guard
