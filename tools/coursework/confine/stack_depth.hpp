/// @file
/// How far a function's stack pointer is below its return address, at every instruction.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assembly.hpp"

namespace coursework::confine {

constexpr long kUnreached = -1;

struct StackDepth {
  std::vector<long> before;  ///< [statement] bytes; kUnreached where nothing leads
  long deepest = 0;
};

/// Follows every way through the function. The stack pointer may change by constants only, a jump
/// stays inside, and a way ends with a return, a call that does not return, or `ud2`.
/// @param endless  functions that do not return
/// @throws Refused
StackDepth stack_depth(const Function& function, const std::set<std::string>& endless);

/// Functions of the submission without a return; calls of them end a way.
std::set<std::string> endless_functions(const Assembly& assembly);

}  // namespace coursework::confine
