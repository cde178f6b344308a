#pragma once

/// @file
/// JSON of counters, with the names that all documents of the course use.

#include <nlohmann/json.hpp>

#include "course/counters.hpp"

namespace course {

/// Which counters a JSON object contains.
enum class CountersShown {
  report,   ///< all, but some only where they were used (CounterShown::where_used)
  profile,  ///< counters of the kinds of access that occurred, and figures to weigh them
};

/// Returns an object of counters by name. The value of a ratio of 0 to 0 is null.
nlohmann::ordered_json json_of(const Counters& counters, CountersShown shown);

}  // namespace course
