#include "course/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "course/error.hpp"

namespace course {
namespace {

constexpr std::uint64_t kKibi = 1024;

/// Returns the number after `key` in a file of "key number" lines.
std::optional<std::uint64_t> read_keyed(const char* path, std::string_view key) {
  std::ifstream file(path);
  std::string word;
  std::uint64_t value = 0;
  std::string rest;
  while (file >> word) {
    if (word == key && file >> value) return value;
    std::getline(file, rest);
  }
  return std::nullopt;
}

/// Returns the number that is a file's whole text; nothing if it is a word such as "max".
std::optional<std::uint64_t> read_number(const char* path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

/// Returns what a control group's limit leaves; its page cache counts as free.
std::optional<std::uint64_t> left_in_group(const char* limit_path, const char* usage_path,
                                           const char* statistics_path,
                                           std::string_view cache_key) {
  const auto limit = read_number(limit_path);
  const auto usage = read_number(usage_path);
  if (!limit || !usage) return std::nullopt;
  const std::uint64_t cache = read_keyed(statistics_path, cache_key).value_or(0);
  const std::uint64_t used = *usage - std::min(*usage, cache);
  return *limit - std::min(*limit, used);
}

}  // namespace

std::string format_bytes(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < kKibi) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes) / kKibi;
  std::size_t unit = 0;
  // From here on a number would print as 1024.0, so it moves to the next unit.
  constexpr double kNextUnit = 1023.95;
  while (value >= kNextUnit && unit + 1 < std::size(kUnits)) {
    value /= kKibi;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::size_t checked_bytes(std::size_t count, std::size_t element_bytes, std::string_view what) {
  if (element_bytes != 0 && count > std::numeric_limits<std::size_t>::max() / element_bytes) {
    throw UsageError(fmt::format("{} is too large: {} elements of {} bytes; choose smaller sizes",
                                 what, count, element_bytes));
  }
  return count * element_bytes;
}

std::uint64_t available_host_bytes() {
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
  if (const auto kibi = read_keyed("/proc/meminfo", "MemAvailable:")) {
    available = *kibi * kKibi;
  } else {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0) {
      available = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
    }
  }
  const auto group = left_in_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
                                   "/sys/fs/cgroup/memory.stat", "inactive_file");
  const auto old_group = left_in_group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                       "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                                       "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file");
  return std::min({available, group.value_or(available), old_group.value_or(available)});
}

void require_host_memory(std::uint64_t bytes, std::string_view what) {
  // Small requests are not worth reading three files.
  constexpr std::uint64_t kSurelyThere = 1 << 20;
  if (bytes <= kSurelyThere) return;
  const std::uint64_t available = available_host_bytes();
  if (bytes <= available) return;
  throw UsageError(fmt::format("{} needs {} of host memory and {} are free; choose smaller sizes",
                               what, format_bytes(bytes), format_bytes(available)));
}

}  // namespace course
