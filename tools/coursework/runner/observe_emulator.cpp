/// @file
/// The emulator as the runner's back end: counts, checks, and knows a kernel's source line.

#include "tools/coursework/runner/observe.hpp"

#include <fcntl.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "course/counter_table.hpp"
#include "emulator/check.h"
#include "emulator/counters.h"
#include "emulator/judging.h"
#include "emulator/memory.h"
#include "engine/engine.hpp"
#include "tools/coursework/runner/confinement.hpp"

namespace coursework {
namespace {

emu::Counters counted_before;
bool asks_for_orders = false;
std::uint64_t heap_uses_before = 0;

/// The interrupted thread's registers and the top of its stack.
struct Interrupted {
  static constexpr std::size_t kMostWords = 4096;
  std::uintptr_t program_counter = 0;
  std::array<std::uintptr_t, kMostWords> stack{};
  std::size_t words = 0;
};

std::array<int, 2> ends{-1, -1};  // a pipe from the signal handler to a thread that may allocate

/// Signal handler: writes the registers and the stack into the pipe. It looks nothing up, because
/// the interrupted code may hold the allocator's lock. write() fails beyond the end of the stack,
/// where a read would crash; it writes single words, because a larger piece that reaches beyond the
/// end would not be written at all. Closing the pipe marks the end.
void write_down(int, siginfo_t*, void* context) {
  const int error = errno;
  const int end = std::exchange(ends[1], -1);
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  const std::array places = {static_cast<std::uintptr_t>(registers.gregs[REG_RIP])};
  const auto* stack = reinterpret_cast<const std::uintptr_t*>(registers.gregs[REG_RSP]);
#elif defined(__aarch64__)
  // On ARM, a leaf function keeps its return address in register 30 only.
  const std::array<std::uintptr_t, 2> places = {registers.pc, registers.regs[30]};
  const auto* stack = reinterpret_cast<const std::uintptr_t*>(registers.sp);
#endif
  ssize_t written = write(end, places.data(), sizeof places);
  for (std::size_t i = 0; written > 0 && i < Interrupted::kMostWords; ++i)
    written = write(end, stack + i, sizeof *stack);
  close(end);
  errno = error;
}

/// Reads from the pipe until `bytes` are read or the pipe ends; returns the number of bytes read.
std::size_t read_all(void* begin, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = read(ends[0], static_cast<char*>(begin) + done, bytes - done);
    if (got == 0 || (got < 0 && errno != EINTR)) break;
    done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }
  return done;
}

Interrupted receive() {
  Interrupted where;
  read_all(&where.program_counter, sizeof where.program_counter);
  where.words = read_all(where.stack.data(), sizeof where.stack) / sizeof where.stack[0];
  return where;
}

/// Returns the interrupted line of a CUDA source. Searches the first words of the stack for return
/// addresses in such a source.
std::string interrupted_line(const Interrupted& where) {
  const auto is_of_kernel = [](const std::string& line) {
    return line.find(".cu:") != std::string::npos;
  };
  if (const std::string line = emu::source_line(where.program_counter + 1); is_of_kernel(line))
    return line;
  for (std::size_t i = 0; i < where.words; ++i)
    if (const std::string line = emu::source_line(where.stack[i]); is_of_kernel(line)) return line;
  return {};
}

void wait_and_say_where() {
  const std::string line = interrupted_line(receive());
  if (!line.empty()) {
    std::fprintf(stderr, "stopped at %s\n", line.c_str());
    std::fflush(stderr);
  }
  _exit(2);
}

}  // namespace

void start_observing() {
  emu::set_worker_count(1);
  emu::set_counting(true);
  emu::set_checking(emu::kAllChecks);
  if (&confinement != nullptr) confinement.begin();
}

// One block at a time: a sealed process starts no threads.
void set_orders(unsigned count) {
  emu::set_schedules(count, 1);
  asks_for_orders = count > 0;
  heap_uses_before = emu::kernels_heap_uses();
}

void set_order(std::uint64_t seed) { emu::set_preempt_seed(seed); }
void set_parted_warps(bool on) { emu::set_parted_warps(on); }
void set_lane_turn(unsigned lanes) { emu::set_lane_turn(lanes); }

nlohmann::json take_counters() {
  const emu::Counters all = emu::total_counters();
  emu::Counters since = all;
  since -= counted_before;
  counted_before = all;
  nlohmann::json counters = nlohmann::json::object();
  for (const course::CounterDescription& one : course::counter_table())
    if (one.unit == course::CounterUnit::count) counters[std::string(one.name)] = one.count(since);
  counters["loads_before_stores"] = emu::take_loads_before_stores();
  counters["stores_without_copies"] = emu::take_stores_without_copies();
  const emu::WorkingWarps working = emu::take_working_warps();
  counters["working_warps_global"] = working.global;
  counters["working_warps_shared"] = working.shared;
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
  // The emulator runs such a kernel in one order only, which must not count as a clean result.
  if (asks_for_orders && emu::kernels_heap_uses() != heap_uses_before)
    list.push_back({{"tool", "schedules"},
                    {"kind", "not_run"},
                    {"severity", "error"},
                    {"title",
                     "a kernel that calls malloc or free cannot be run in other orders here; take "
                     "an array of the thread or of the block"},
                    {"line", ""},
                    {"other_line", ""},
                    {"memory", ""}});
  return list;
}

std::string take_failure() {
  std::string text = emu::take_failure_text();
  // Assertions name the file as passed to the compiler, which is not the student's file name.
  if (const std::size_t name = text.find(".cu:"); text.starts_with('/') && name != text.npos)
    text.erase(0, text.rfind('/', name) + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

void print_line_when_stopped() {
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  // Block the signal in this thread: the thread that runs kernels must receive it.
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stop, &before);
  try {
    std::thread(wait_and_say_where).detach();
    struct sigaction action {};
    action.sa_sigaction = write_down;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGTERM, &action, nullptr);
  } catch (const std::system_error&) {  // a sandbox without threads: no source line
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace coursework
