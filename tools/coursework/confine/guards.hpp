/// @file
/// The assembly pass: writes a submission's assembly again, with a guard before everything that
/// could reach what is not the submission's.
#pragma once

#include <string>
#include <vector>

#include "assembly.hpp"

namespace coursework::confine {

/// Kernel i of the exercise takes so many arguments of 8 bytes on the stack.
using StackWords = std::vector<unsigned>;

struct GuardedAssembly {
  std::string text;
  std::vector<std::string> kernels;  ///< their symbols, the only ones that are seen from outside
};

/// @throws Refused
GuardedAssembly guard(const Assembly& assembly, const StackWords& kernels);

}  // namespace coursework::confine
