#pragma once

/// @file
/// One student's results: for programs, a terminal and a browser. Students may read them, so they
/// contain no seed, no expected values and nobody else's name.

#include <string>

#include "tools/coursework/grade/marks.hpp"

namespace coursework {

/// Returns results in the form of docs/grade.schema.json.
nlohmann::ordered_json result_json(const Marks& marks, const Sheet& sheet);

std::string feedback_text(const Marks& marks, const Sheet& sheet);

/// Returns a self-contained HTML page.
std::string feedback_page(const Marks& marks, const Sheet& sheet);

}  // namespace coursework
