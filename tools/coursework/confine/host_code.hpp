/// @file
/// Finds the functions of a submission that are host code.
#pragma once

#include <cstddef>
#include <vector>

#include "course/cpp_functions.hpp"

namespace coursework::confine {

/// The definitions of host functions. A function declared for the device elsewhere is not one.
struct HostCode {
  std::vector<const course::cpp::Definition*> definitions;
  const course::cpp::Definition* called =
      nullptr;  ///< a host function that device code calls; null: none found
  std::size_t where = course::cpp::kNoToken;  ///< the token of that call
};
/// Finds host code. Calls are recognised by function names. Calls of members, of operators, and of
/// names that a header also defines are left to the assembly pass.
HostCode find_host_code(const course::cpp::Source& source, const std::vector<bool>& own,
                        const course::cpp::Functions& functions);

}  // namespace coursework::confine
