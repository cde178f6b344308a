#pragma once

/// @file
/// Evaluates the columns of a report's tables (course::Column describes their sources).

#include <string>
#include <variant>

#include "course/report.hpp"

namespace course {

/// The unformatted content of a table's cell: nothing, a number or a word.
using Cell = std::variant<std::monostate, double, std::string>;

Cell cell_of(const ParameterValue& value);

/// Returns the value of a column's source in one run of the section. A single name may give a word.
/// Arithmetic has a value if each of its names has one and nothing is divided by 0.
Cell cell_at(const Section& section, const RunRecord& run, const std::string& source);

}  // namespace course
