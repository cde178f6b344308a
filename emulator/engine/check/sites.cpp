#include "engine/check/sites.hpp"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "engine/count/hot_state.hpp"

namespace emu {

namespace {

constexpr std::size_t kMostAccessSites = 0xffff;

struct Table {
  std::shared_mutex mutex;
  std::unordered_map<std::uintptr_t, unsigned> numbers;
  std::vector<std::uintptr_t> program_counters = {0};
};

Table& table() {
  static Table& table = *new Table;
  return table;
}

}  // namespace

unsigned number_of_site(std::uintptr_t key) {
  const std::lock_guard lock(table().mutex);
  const auto [entry, is_new] = table().numbers.try_emplace(key, 0);
  if (is_new && table().program_counters.size() < kMostAccessSites) {
    entry->second = static_cast<unsigned>(table().program_counters.size());
    table().program_counters.push_back(program_counter_of(key));
  }
  return entry->second;
}

std::uintptr_t program_counter_of_site(unsigned site) {
  const std::shared_lock lock(table().mutex);
  return table().program_counters[site];
}

}  // namespace emu
