#pragma once

/// @file
/// Names that students choose, made fit for files, tables and pages.

#include <string>
#include <string_view>

namespace coursework {

/// Any bytes as UTF-8 that prints on one line: bytes that are no UTF-8, control characters and
/// characters that turn or hide text become %XX, as does % itself before two digits.
std::string printable(std::string_view bytes);

/// The name of a folder for anything that was one before: printable, without characters that
/// shells and other systems give a meaning to, at most 120 bytes. Different names stay different.
std::string folder_name(std::string_view bytes);

/// A field of a CSV file (RFC 4180). What a spreadsheet would take for a formula begins with an
/// apostrophe.
std::string csv_field(std::string_view text);

/// Whether all of it is well-formed UTF-8.
bool is_utf8(std::string_view bytes);

}  // namespace coursework
