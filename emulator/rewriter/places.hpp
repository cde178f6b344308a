/// Records of the expressions at the positions that the debug information names.
///
/// The debug information has a line and a column for each access of device code. The tokens there
/// tell which expression is accessed. The program carries these texts in a section of its own,
/// `emu_places`, for profiles. A line of the section is
///
///     D <folder>                      folder of relative file names
///     H <folder>                      folder of CUDA's headers
///     F <file>                        file of the following lines
///     R <first line> <last line>      a function, from its template header to its last brace
///     <line>:<column> <kinds> <text>  an expression: loaded (l), stored or atomic (s), or all (a)
#pragma once

#include <string>
#include <vector>

#include "course/cpp_source.hpp"
#include "course/cpp_syntax.hpp"

namespace emulator_nvcc {

using namespace course::cpp;  // expressions are tokens

/// A function of device code.
struct DeviceFunction {
  std::size_t first;  // first token of its declaration
  Range body;         // from `{` to one past `}`
};

/// Returns the definition of a variable that holds the records, to be appended to the source.
/// @param columns by token: the column in the rewritten source, from 1
/// @param folder for the line D
/// @param headers for the lines H
std::string place_records(const Source& s, const std::vector<DeviceFunction>& functions,
                          const std::vector<std::size_t>& columns, const std::string& folder,
                          const std::vector<std::string>& headers);

}  // namespace emulator_nvcc
