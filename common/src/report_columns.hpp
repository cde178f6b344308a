#pragma once

/// @file
/// What the columns of a report's tables stand for (course::Column says what they may name).

#include <string>
#include <variant>

#include "course/report.hpp"

namespace course {

/// What stands in a table's cell before it is made to look like its column: nothing, a number or a
/// word.
using Cell = std::variant<std::monostate, double, std::string>;

Cell cell_of(const ParameterValue& value);

/// The value of a column's source in one run of the section. A name alone may be a word. Arithmetic
/// has a value where each of its names has one, and where nothing is divided by 0.
Cell cell_at(const Section& section, const RunRecord& run, const std::string& source);

}  // namespace course
