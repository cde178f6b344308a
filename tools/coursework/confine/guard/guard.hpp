/// @file
/// What the runner asks of the guards that a confined submission was compiled with.
#pragma once

#include <string>
#include <vector>

namespace coursework::guard {

/// An access or a call that no honest kernel makes; it ended the kernel before it was made.
struct Violation {
  std::string what;
  std::string place;  ///< "02_1_from_a_line.cu:12"; empty if it is not known
};

/// Those since the last call, at most one for each block that ran at the time.
std::vector<Violation> take_violations();

}  // namespace coursework::guard
