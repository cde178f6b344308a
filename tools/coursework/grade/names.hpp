#pragma once

/// @file
/// Makes names that students choose safe for files, tables and pages.

#include <string>
#include <string_view>

namespace coursework {

/// Returns any bytes as UTF-8 that prints on one line. Invalid bytes, control characters and
/// characters that reverse or hide text become %XX, as does % itself before two digits.
std::string printable(std::string_view bytes);

/// Returns a safe folder name for any name: printable, without characters that are special to
/// shells or other systems, at most 120 bytes. Different names stay different.
std::string folder_name(std::string_view bytes);

/// Returns a field of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula
/// gets an apostrophe in front.
std::string csv_field(std::string_view text);

/// Returns whether the text is well-formed UTF-8.
bool is_utf8(std::string_view bytes);

}  // namespace coursework
