#include "engine/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "emulator/check.h"
#include "emulator/counters.h"
#include "engine/run/queue.hpp"

namespace emu {

namespace {

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

/// Returns the words as "a, b or c".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

/// Returns the format named by `value`, "json" or "json:FILE", and sets `file` to the file if one
/// is named. `others` are further values that the variable accepts.
template <class Format>
const Format* report_format(const char* variable, std::string_view value,
                            std::span<const Format> formats, std::string& file,
                            std::vector<std::string> others = {}) {
  const std::string_view name = value.substr(0, value.find(':'));
  for (const Format& format : formats) {
    if (name != format.name || (name != value && !format.may_name_file)) continue;
    if (value.size() > name.size()) file = value.substr(name.size() + 1);
    return &format;
  }
  const bool all_name_files = std::ranges::all_of(formats, &Format::may_name_file);
  std::vector<std::string> words;
  for (const Format& format : formats) {
    words.emplace_back(format.name);
    if (format.may_name_file && !all_name_files) words.push_back(words.back() + ":FILE");
  }
  words.insert(words.end(), others.begin(), others.end());
  const char* const each = all_name_files ? ", each alone or with :FILE" : "";
  refuse(variable, value, (alternatives(words) + each).c_str());
}

/// Refuses settings that need logged accesses together with lockstep, which logs none.
void refuse_with_lockstep(const Settings& settings) {
  const char* const other = settings.checks.any()          ? "COURSE_CHECK"
                            : settings.schedules > 0       ? "COURSE_SCHEDULES"
                            : settings.preempt_seed > 0    ? "COURSE_PREEMPT"
                            : settings.profile             ? "COURSE_PROFILE"
                            : settings.exit_report         ? "COURSE_COUNTERS"
                            : !settings.trace_file.empty() ? "COURSE_TRACE"
                                                           : nullptr;
  if (other)
    refuse("COURSE_LOCKSTEP", "1", fmt::format("possible together with {}", other).c_str());
}

Settings from_environment() {
  Settings settings;
  settings.workers = std::max(1u, std::thread::hardware_concurrency());
  constexpr std::uint64_t kMostWorkers = 1024;
  if (const char* threads = std::getenv("COURSE_THREADS"))
    settings.workers = static_cast<unsigned>(number("COURSE_THREADS", threads, 1, kMostWorkers));
  if (const char* seed = std::getenv("COURSE_SEED"))
    settings.schedule_seed = number("COURSE_SEED", seed, 0, ~std::uint64_t{0});
  settings.check_format = findings_formats().data();
  if (const char* counters = std::getenv("COURSE_COUNTERS")) {
    settings.may_count = settings.counting = counters != std::string_view("off");
    if (settings.counting)
      settings.exit_report = report_format("COURSE_COUNTERS", counters, exit_report_formats(),
                                           settings.exit_report_file, {"off"});
  }
  if (const char* profile = std::getenv("COURSE_PROFILE")) {
    settings.profile =
        report_format("COURSE_PROFILE", profile, profile_formats(), settings.profile_file);
    if (!settings.may_count) refuse("COURSE_COUNTERS", "off", "what COURSE_PROFILE can list");
    settings.counting = true;
  }
  if (const char* kernel = std::getenv("COURSE_PROFILE_KERNEL")) settings.profile_kernel = kernel;
  if (const char* checks = std::getenv("COURSE_CHECK"))
    if (!parse_checks(checks, settings.checks))
      refuse("COURSE_CHECK", checks,
             "all, off or a list of memcheck, initcheck, racecheck, synccheck and leakcheck");
  if (const char* report = std::getenv("COURSE_CHECK_REPORT"))
    settings.check_format = report_format("COURSE_CHECK_REPORT", report, findings_formats(),
                                          settings.check_report_file);
  if (const char* seed = std::getenv("COURSE_PREEMPT"))
    settings.preempt_seed = number("COURSE_PREEMPT", seed, 1, ~std::uint64_t{0});
  if (const char* lockstep = std::getenv("COURSE_LOCKSTEP"))
    settings.lockstep = number("COURSE_LOCKSTEP", lockstep, 0, 1) != 0;
  constexpr std::uint64_t kMostSchedules = 10000;
  if (const char* schedules = std::getenv("COURSE_SCHEDULES"))
    settings.schedules =
        static_cast<unsigned>(number("COURSE_SCHEDULES", schedules, 0, kMostSchedules));
  if (const char* file = std::getenv("COURSE_TRACE")) {
    if (*file == '\0') refuse("COURSE_TRACE", file, "the name of a file");
    settings.trace_file = file;
  }
  if (const char* block = std::getenv("COURSE_TRACE_BLOCK"))
    settings.trace_block = number("COURSE_TRACE_BLOCK", block, 0, ~std::uint64_t{0});
  constexpr std::uint64_t kMostTraced = 1 << 20;
  if (const char* requests = std::getenv("COURSE_TRACE_REQUESTS"))
    settings.trace_requests =
        static_cast<unsigned>(number("COURSE_TRACE_REQUESTS", requests, 1, kMostTraced));
  if (settings.lockstep) refuse_with_lockstep(settings);
  return settings;
}

/// Returns the settings for a change. First finishes all queued work, which must run under the old
/// ones.
Settings& settings_to_change() {
  finish_all();
  return settings();
}

}  // namespace

Settings& settings() {
  // Never destroyed: read until the very end.
  static Settings& settings = *new Settings(from_environment());
  return settings;
}

bool parse_checks(std::string_view text, Checks& checks) noexcept {
  Checks wanted;
  bool well = !text.empty();
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word == "all") {
      wanted = kAllChecks;
    } else if (word == "off") {
      wanted = {};
    } else if (word == "memcheck") {
      wanted.memory = true;
    } else if (word == "initcheck") {
      wanted.init = true;
    } else if (word == "racecheck") {
      wanted.race = true;
    } else if (word == "synccheck") {
      wanted.sync = true;
    } else if (word == "leakcheck") {
      wanted.leaks = true;
    } else {
      well = false;
    }
  }
  if (well) checks = wanted;
  return well;
}

void set_checking(Checks checks) noexcept { settings_to_change().checks = checks; }
void set_strict_bounds(bool on) noexcept { settings_to_change().strict_bounds = on; }
void set_schedules(unsigned count, unsigned blocks_at_a_time) noexcept {
  settings_to_change().schedules = count;
  settings().scheduled_blocks = blocks_at_a_time;
}
void set_preempt_seed(std::uint64_t seed) noexcept { settings_to_change().preempt_seed = seed; }
Checks checking() noexcept { return settings().checks; }
void set_counting(bool on) noexcept { settings_to_change().counting = on; }
bool counting() noexcept { return settings().counting; }
bool may_count() noexcept { return settings().may_count; }
void set_schedule_seed(std::uint64_t seed) noexcept { settings_to_change().schedule_seed = seed; }
void set_worker_count(unsigned workers) noexcept {
  settings_to_change().workers = std::max(1u, workers);
}

}  // namespace emu
