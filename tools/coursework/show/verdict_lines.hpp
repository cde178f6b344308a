#pragma once

/// @file
/// A verdict for the eyes of a student.

#include <string>
#include <vector>

#include "tools/coursework/judging/verdict.hpp"
#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// The verdict on the exercise with this title: what became of it, then each requirement with its
/// points, what was found and what is wanted.
///
/// @param signs  check marks; else + and -
std::vector<Line> lines_of(const Verdict& verdict, const std::string& title, bool signs);

/// The same as plain text.
std::string text_of(const Verdict& verdict, const std::string& title);

/// "02.1", as students read it, of "02_1".
std::string shown_id(const std::string& id);

/// "1 point", "4 points".
std::string counted(int number, const std::string& one);

}  // namespace coursework
