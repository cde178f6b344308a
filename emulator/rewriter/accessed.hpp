/// Finds the expression of an access from the token that g++'s debug information names.
#pragma once

#include <string>

#include "course/cpp_source.hpp"

namespace emulator_nvcc {

using namespace course::cpp;  // expressions are tokens

/// The texts of the accessed expressions, such as `A[row * k + p]`; empty if the tokens do not
/// tell.
struct Accessed {
  std::string loaded;  ///< what a load reads
  std::string stored;  ///< what a store or an atomic operation writes
};

/// Returns the expression of a load or store whose column is that of `token`. g++ uses the column
/// of
///
///     a bracket       for the element or call that it belongs to (`A[i]`, `__ldg(p)`), and for
///                     the target of a call's result or of a value in braces
///     an assignment   for its target, and for an operand loaded only to be assigned
///     a declared name for its initialiser
///     another name    for the variable or member
///     a sign          for its operand: `*p`, `n++`
Accessed accessed_at(const Source& s, std::size_t token);

}  // namespace emulator_nvcc
