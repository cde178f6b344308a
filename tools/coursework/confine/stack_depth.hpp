/// @file
/// Computes the stack pointer's distance below the return address at every instruction.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assembly.hpp"

namespace coursework::confine {

constexpr long kUnreached = -1;

struct StackDepth {
  std::vector<long> before;  ///< [statement] bytes; kUnreached if control cannot get there
  long deepest = 0;
};

/// Follows all paths through the function. The stack pointer may change by constants only, jumps
/// must stay inside, and a path must end with a return, a call that does not return, or `ud2`.
/// @param endless  functions that do not return
/// @throws Refused
StackDepth stack_depth(const Function& function, const std::set<std::string>& endless);

/// Returns the submission's functions that never return; calling one ends a path.
std::set<std::string> endless_functions(const Assembly& assembly);

}  // namespace coursework::confine
