#include "course/counters_json.hpp"

#include <string>

#include "course/counter_table.hpp"

namespace course {
namespace {

bool is_shown(const CounterDescription& one, const Counters& counters, CountersShown shown) {
  switch (one.shown) {
    case CounterShown::always:
      return shown == CountersShown::report || one.is_used(counters);
    case CounterShown::where_used:
      return one.is_used(counters);
    case CounterShown::profile:
      return shown == CountersShown::profile && one.is_used(counters);
    case CounterShown::nowhere:
      break;
  }
  return false;
}

}  // namespace

nlohmann::ordered_json json_of(const Counters& counters, CountersShown shown) {
  auto json = nlohmann::ordered_json::object();
  for (const CounterDescription& one : counter_table()) {
    if (!is_shown(one, counters, shown)) continue;
    auto& value = json[std::string(one.name)];
    if (one.unit == CounterUnit::count) {
      value = one.count(counters);
    } else if (const std::optional<double> ratio = one.value(counters)) {
      value = *ratio;
    }
  }
  return json;
}

}  // namespace course
