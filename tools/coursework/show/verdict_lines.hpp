#pragma once

/// @file
/// Shows a verdict to a student.

#include <string>
#include <vector>

#include "tools/coursework/judging/verdict.hpp"
#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// Returns the verdict on the exercise with this title: the outcome, then each requirement with its
/// points, the measured value and the wanted one.
///
/// @param signs  uses check marks; otherwise + and -
std::vector<Line> lines_of(const Verdict& verdict, const std::string& title, bool signs);

/// Returns lines_of() as plain text.
std::string text_of(const Verdict& verdict, const std::string& title);

/// Returns an id as students read it: "02.1" for "02_1".
std::string shown_id(const std::string& id);

/// "1 point", "4 points".
std::string counted(int number, const std::string& one);

}  // namespace coursework
