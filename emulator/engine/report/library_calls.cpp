#include "engine/report/library_calls.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "engine/settings.hpp"

namespace emu {

namespace {

struct LibraryCalls {
  std::mutex mutex;
  std::map<std::string, std::uint64_t> times;  // by name
};

LibraryCalls& library_calls() {
  static LibraryCalls& calls = *new LibraryCalls;
  return calls;
}

void print_library_calls() {
  const std::lock_guard lock(library_calls().mutex);
  std::string text;
  for (const auto& [name, times] : library_calls().times)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name,
                        times == 1 ? "" : fmt::format(" ({} times)", times));
  std::fflush(stdout);
  fmt::print(stderr, "emulator: not counted: a library: {}\n", text);
}

}  // namespace

void note_library_call(const char* name) {
  if (!settings().exit_report && !settings().profile) return;
  const std::lock_guard lock(library_calls().mutex);
  static const bool registered = std::atexit(print_library_calls) == 0;
  (void)registered;
  ++library_calls().times[name];
}

}  // namespace emu
