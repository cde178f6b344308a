#pragma once

/// @file
/// Parses JSON in one source file, because compiling the parser takes up to 1 s per source.

#include <nlohmann/json.hpp>
#include <string_view>

namespace tools {

/// Parses JSON. Throws nlohmann::json::parse_error for invalid text.
nlohmann::json parse_json(std::string_view text);

/// Parses JSON and keeps the order of keys. Invalid text throws or gives a discarded value.
nlohmann::ordered_json parse_ordered_json(std::string_view text, bool allow_exceptions = true);

}  // namespace tools
