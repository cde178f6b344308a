/// @file
/// The emulator as the runner's back end: it counts, checks, and knows where a kernel is.

#include "tools/coursework/runner/observe.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "course/counter_table.hpp"
#include "emulator/check.h"
#include "emulator/counters.h"
#include "engine/engine.hpp"
#include "tools/coursework/runner/confinement.hpp"

namespace coursework {
namespace {

emu::Counters counted_before;

/// The line of a CUDA source that `stack` was interrupted in; the first words that are addresses in
/// one of them are the way back to it.
std::string interrupted_line(std::uintptr_t program_counter, const std::uintptr_t* stack) {
  constexpr int kMostWords = 4096;
  for (int word = -1; word < kMostWords; ++word) {
    const std::uintptr_t address = word < 0 ? program_counter + 1 : stack[word];
    const std::string line = emu::source_line(address);
    if (line.find(".cu:") != std::string::npos) return line;
  }
  return {};
}

/// Not safe in a signal handler in general; the program ends here in any case, and who sent the
/// signal ends it if this takes too long.
void say_where(int, siginfo_t*, void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const std::string line =
      interrupted_line(static_cast<std::uintptr_t>(registers[REG_RIP]),
                       reinterpret_cast<const std::uintptr_t*>(registers[REG_RSP]));
  if (!line.empty()) {
    std::fprintf(stderr, "stopped at %s\n", line.c_str());
    std::fflush(stderr);
  }
  _exit(2);
}

}  // namespace

void start_observing() {
  emu::set_worker_count(1);
  emu::set_checking(emu::kAllChecks);
  if (&confinement != nullptr) confinement.begin();
}

nlohmann::json take_counters() {
  const emu::Counters all = emu::total_counters();
  emu::Counters since = all;
  since -= counted_before;
  counted_before = all;
  nlohmann::json counters = nlohmann::json::object();
  for (const course::CounterDescription& one : course::counter_table())
    if (one.unit == course::CounterUnit::count) counters[std::string(one.name)] = one.count(since);
  return counters;
}

nlohmann::json take_findings() {
  nlohmann::json list = nlohmann::json::array();
  for (const emu::Finding& one : emu::take_findings())
    list.push_back({{"tool", one.tool},
                    {"kind", one.kind},
                    {"severity", one.severity == emu::Severity::error ? "error" : "warning"},
                    {"title", one.title},
                    {"line", one.first.line},
                    {"other_line", one.second.line},
                    {"memory", one.memory}});
  if (&confinement != nullptr)
    for (auto& one : confinement.take_violations()) list.push_back(std::move(one));
  return list;
}

void say_where_when_stopped() {
  struct sigaction action {};
  action.sa_sigaction = say_where;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace coursework
