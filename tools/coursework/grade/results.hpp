#pragma once

/// @file
/// The results of one student: for programs, for a terminal, for a browser. What stands in them is
/// for the student's eyes: no seed, no expected values, nobody else's name.

#include <string>

#include "tools/coursework/grade/marks.hpp"

namespace coursework {

/// docs/grade.schema.json
nlohmann::ordered_json result_json(const Marks& marks, const Sheet& sheet);

std::string feedback_text(const Marks& marks, const Sheet& sheet);

/// A page that needs no other file.
std::string feedback_page(const Marks& marks, const Sheet& sheet);

}  // namespace coursework
