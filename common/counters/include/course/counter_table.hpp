#pragma once

/// @file
/// Describes every counter. JSON, tables, sums and schemas follow from this table.

#include <cstdint>
#include <optional>
#include <string_view>

#include "course/counters.hpp"

namespace course {

enum class CounterUnit : std::uint8_t { count, percent, lanes };

/// Which JSON documents contain a counter.
enum class CounterShown : std::uint8_t {
  always,      ///< all; a profile leaves it out where no access of its kind occurred
  where_used,  ///< all, but only where accesses of its kind occurred
  profile,     ///< only the profile, where accesses of its kind occurred
  nowhere,     ///< none; only tables
};

struct CounterDescription {
  std::string_view name;  ///< in JSON: "global_load_sectors"
  CounterUnit unit = CounterUnit::count;
  CounterShown shown = CounterShown::always;
  std::string_view access;   ///< the row of the table at exit: "global load"; empty: no row
  std::string_view column;   ///< its column there: "sectors"; empty: not in tables
  std::string_view meaning;  ///< a sentence for the schemas
  /// The value; nothing for a ratio of 0 to 0.
  std::optional<double> (*value)(const Counters&) = nullptr;
  std::uint64_t& (*field)(Counters&) = nullptr;  ///< the field that sums add up; null for a ratio
  bool (*is_used)(const Counters&) = nullptr;    ///< whether accesses of its kind occurred

  /// Returns the exact value of a count, which `value` rounds above 2^53. Not for a ratio.
  std::uint64_t count(Counters counters) const { return field(counters); }
};

/// The counters in the order of the JSON reports.
struct CounterTable {
  const CounterDescription* first;
  const CounterDescription* last;
  const CounterDescription* begin() const { return first; }
  const CounterDescription* end() const { return last; }
};
CounterTable counter_table();

}  // namespace course
