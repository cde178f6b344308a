/// @file
/// What a source file says at a place that the debug information names.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cost.hpp"

namespace emu {

using SourceLines = std::vector<std::string>;  // line n is element n - 1

/// The lines of a file, without line ends; nothing if it cannot be read. Bytes that are no
/// printable UTF-8 become U+FFFD, so that every format may hold them.
std::optional<SourceLines> read_source(const std::string& file);

/// Lines, both included.
struct LineRange {
  int first = 0;
  int last = 0;
  bool operator==(const LineRange&) const = default;
};

/// The function whose name stands in line `declared`: from its template header or return type, if
/// these stand in lines above, to the brace that closes it.
LineRange function_range(const SourceLines& lines, int declared);

/// The words of a file that the preprocessor may replace: those that it defines, and those in
/// capitals that it does not declare.
std::set<std::string> possible_macros(const SourceLines& lines);

/// The expression that an access is about, as far as one line tells: for a bracket what it closes
/// (`A[row * k + p]`), for an assignment what is assigned to, or what a load must be of, for a word
/// the variable, member or call. Empty if it is none of these, or if the preprocessor may have
/// moved it.
/// @param column  from 1, in the preprocessed line, as the debug information has it
/// @param macros  words behind which nothing is where the source has it
std::string expression_at(std::string_view line, int column, AccessKind kind,
                          const std::set<std::string>& macros);

}  // namespace emu
