#pragma once

/// @file
/// Everything there is to know about every counter. JSON, tables, sums and schemas follow from it.

#include <cstdint>
#include <optional>
#include <string_view>

#include "course/counters.hpp"

namespace course {

enum class CounterUnit : std::uint8_t { count, percent, lanes };

/// Which JSON has a counter.
enum class CounterShown : std::uint8_t {
  always,      ///< every one; a profile leaves it out where no access of its kind occurred
  where_used,  ///< every one, but only where accesses of its kind occurred
  profile,     ///< the profile alone, where accesses of its kind occurred
  nowhere,     ///< none: tables alone
};

struct CounterDescription {
  std::string_view name;  ///< in JSON: "global_load_sectors"
  CounterUnit unit = CounterUnit::count;
  CounterShown shown = CounterShown::always;
  std::string_view access;   ///< the row of the table at exit: "global load"; empty: no row
  std::string_view column;   ///< its column there: "sectors"; empty: not in tables
  std::string_view meaning;  ///< a sentence for the schemas
  std::optional<double> (*value)(const Counters&) = nullptr;  ///< nothing: nothing by nothing
  std::uint64_t& (*field)(Counters&) = nullptr;  ///< what sums add up; null for a ratio
  bool (*is_used)(const Counters&) = nullptr;    ///< whether accesses of its kind occurred

  /// The exact value of a count, which `value` rounds above 2^53. Not for a ratio.
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
