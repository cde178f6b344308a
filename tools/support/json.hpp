#pragma once

/// @file
/// JSON is read by code that is compiled once, and not in each source that reads some: that takes
/// up to 1 s.

#include <nlohmann/json.hpp>
#include <string_view>

namespace tools {

/// Throws nlohmann::json::parse_error if `text` is not JSON.
nlohmann::json parse_json(std::string_view text);

/// The same, with what an object has in its order. What is not JSON is either thrown or discarded.
nlohmann::ordered_json parse_ordered_json(std::string_view text, bool allow_exceptions = true);

}  // namespace tools
