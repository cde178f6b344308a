/// The expression that an access is about, by the token at which g++ places it.
#pragma once

#include <string>

#include "course/cpp_source.hpp"

namespace emulator_nvcc {

using namespace course::cpp;  // expressions are tokens

/// Texts as `A[row * k + p]`; empty where tokens alone do not tell.
struct Accessed {
  std::string loaded;  ///< by a load
  std::string stored;  ///< by a store or an atomic operation
};

/// What a load or store with the column of this token is about. g++ gives it the column of
///
///     a bracket       the element or call that it belongs to: `A[i]`, `__ldg(p)`; what a call's
///                     result, or a value in braces, is assigned to
///     an assignment   what is assigned to, or what is loaded only to be assigned
///     a declared name what it is initialised with
///     another name    the variable or member
///     a sign          its operand: `*p`, `n++`
Accessed accessed_at(const Source& s, std::size_t token);

}  // namespace emulator_nvcc
