/// @file
/// The assembly pass: copies a submission's assembly, with a guard before everything that could
/// access anything outside of the submission.
#pragma once

#include <string>
#include <vector>

#include "assembly.hpp"

namespace coursework::confine {

/// For each kernel of the exercise, the number of 8-byte arguments on the stack.
using StackWords = std::vector<unsigned>;

struct GuardedAssembly {
  std::string text;
  std::vector<std::string> kernels;  ///< the kernels' symbols, the only ones visible outside
};

/// @throws Refused
GuardedAssembly guard(const Assembly& assembly, const StackWords& kernels);

}  // namespace coursework::confine
