#include "course/counters_json.hpp"

namespace course {

nlohmann::ordered_json json_of(const Counters& counters, CountersShown shown) {
  auto json = nlohmann::ordered_json::object();
  for (const NamedCounter& named : named_counters(counters)) {
    if (shown == CountersShown::used && !named.is_used) continue;
    auto& value = json[std::string(named.name)];
    if (named.is_whole) {
      value = static_cast<std::uint64_t>(*named.value);
    } else if (named.value) {
      value = *named.value;
    }
  }
  return json;
}

}  // namespace course
