#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "emulator/counters.h"

namespace emu {

namespace {

constexpr int kUsageError = 2;

[[noreturn]] void refuse(const char* variable, std::string_view value, const char* wanted) {
  fmt::print(stderr, "emulator: {}={} is not {}\n", variable, value, wanted);
  std::_Exit(kUsageError);
}

std::uint64_t number(const char* variable, std::string_view text, std::uint64_t least,
                     std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    refuse(variable, text, fmt::format("a whole number from {} to {}", least, most).c_str());
  return value;
}

Settings from_environment() {
  Settings settings;
  settings.workers = std::max(1u, std::thread::hardware_concurrency());
  constexpr std::uint64_t kMostWorkers = 1024;
  if (const char* threads = std::getenv("COURSE_THREADS"))
    settings.workers = static_cast<unsigned>(number("COURSE_THREADS", threads, 1, kMostWorkers));
  if (const char* seed = std::getenv("COURSE_SEED"))
    settings.schedule_seed = number("COURSE_SEED", seed, 0, ~std::uint64_t{0});
  if (const char* counters = std::getenv("COURSE_COUNTERS")) {
    const std::string_view value = counters;
    if (value == "off") {
      settings.counting = false;
    } else if (value == "table") {
      settings.exit_report = ExitReport::table;
    } else if (value == "json" || value.starts_with("json:")) {
      settings.exit_report = ExitReport::json;
      if (value.size() > 5) settings.exit_report_file = value.substr(5);
    } else {
      refuse("COURSE_COUNTERS", value, "table, json, json:FILE or off");
    }
  }
  return settings;
}

}  // namespace

Settings& settings() {
  static Settings& settings = *new Settings(from_environment());  // read until the very end
  return settings;
}

void set_counting(bool on) noexcept { settings().counting = on; }
bool counting() noexcept { return settings().counting; }
void set_schedule_seed(std::uint64_t seed) noexcept { settings().schedule_seed = seed; }
void set_worker_count(unsigned workers) noexcept { settings().workers = std::max(1u, workers); }

}  // namespace emu
