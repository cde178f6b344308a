/// @file
/// The functions of a submission that are not for the device.
#pragma once

#include <cstddef>
#include <vector>

#include "course/cpp_functions.hpp"

namespace coursework::confine {

/// The definitions that are no device code. One that is declared for the device elsewhere is.
struct HostCode {
  std::vector<const course::cpp::Definition*> definitions;
  const course::cpp::Definition* called =
      nullptr;                                ///< one that device code calls; null: none is seen
  std::size_t where = course::cpp::kNoToken;  ///< that call
};
/// Calls are seen by the names of functions. Those of members, of operators and of what has a name
/// of a header's are for the assembly pass to find.
HostCode find_host_code(const course::cpp::Source& source, const std::vector<bool>& own,
                        const course::cpp::Functions& functions);

}  // namespace coursework::confine
