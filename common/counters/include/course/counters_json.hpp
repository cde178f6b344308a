#pragma once

/// @file
/// Counters under the names that every JSON of the course gives them.

#include <nlohmann/json.hpp>

#include "course/counters.hpp"

namespace course {

/// Which counters a JSON object holds.
enum class CountersShown {
  report,   ///< all, but some only where they were used (CounterShown::where_used)
  profile,  ///< those of the kinds of access that occurred, and how they were weighed
};

/// An object of counters by name; null is the value of a ratio of nothing to nothing.
nlohmann::ordered_json json_of(const Counters& counters, CountersShown shown);

}  // namespace course
