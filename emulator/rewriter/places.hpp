/// What stands at the places that the debug information will name.
///
/// The debug information has a line and a column for each access of device code. From the tokens
/// there follows what is accessed; the program carries it in a section of its own, `emu_places`,
/// and a profile shows it. A line of the section is
///
///     D <folder>                      relative names begin here
///     H <folder>                      CUDA's headers are there
///     F <file>                        of the lines below
///     R <first line> <last line>      a function, from its template header to its last brace
///     <line>:<column> <kinds> <text>  what is loaded (l), stored or atomic (s), or all (a)
#pragma once

#include <string>
#include <vector>

#include "course/cpp_source.hpp"
#include "course/cpp_syntax.hpp"

namespace emulator_nvcc {

using namespace course::cpp;  // expressions are tokens

/// A function of device code.
struct DeviceFunction {
  std::size_t first;  // token of its declaration
  Range body;         // from `{` to one past `}`
};

/// The definition of a variable that holds the records, as text to append to the source.
/// @param columns  by token: where the rewritten source has it, from 1
/// @param folder   for the line D
/// @param headers  for the lines H
std::string place_records(const Source& s, const std::vector<DeviceFunction>& functions,
                          const std::vector<std::size_t>& columns, const std::string& folder,
                          const std::vector<std::string>& headers);

}  // namespace emulator_nvcc
