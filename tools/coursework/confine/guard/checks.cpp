// Decides what a confined lane may touch, and ends lanes that touch anything else.
#include <algorithm>
#include <mutex>
#include <utility>

#include "emulator/confined.h"
#include "emulator/device.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
#include "guard.hpp"
#include "lane_guard.hpp"

extern "C" {
extern __thread char confined_dynamic_shared[] __asm__("emu_dynamic_shared_memory");
void confined_enter(void (*entry)(), const coursework::guard::Arguments* arguments,
                    coursework::guard::LaneGuard* guard, std::uint64_t stack_words);
}

namespace coursework::guard {
namespace {

std::mutex violations_mutex;
std::vector<Violation> violations;

bool inside(std::uintptr_t begin, std::size_t bytes, std::uintptr_t from, std::uintptr_t to) {
  return begin >= from && begin <= to && bytes <= to - begin;
}

template <class Tickets>
bool covered_together(const Tickets& tickets, std::uintptr_t begin, std::size_t bytes) {
  constexpr std::size_t kMostBytes = 16;  // most bytes that one instruction accesses
  if (bytes > kMostBytes) return false;
  for (std::size_t i = 0; i < bytes; ++i)
    if (std::none_of(tickets.begin(), tickets.end(), [&](const Ticket& ticket) {
          return inside(begin + i, 1, ticket.begin, ticket.end);
        }))
      return false;
  return true;
}

/// Returns whether the bytes are in threadIdx or a similar variable, which a kernel may read
/// through a reference.
bool is_built_in(std::uintptr_t begin, std::size_t bytes) {
  for (const uint3* const variable : {&threadIdx, &blockIdx, &blockDim, &gridDim}) {
    const auto address = reinterpret_cast<std::uintptr_t>(variable);
    if (inside(begin, bytes, address, address + sizeof *variable)) return true;
  }
  return false;
}

/// Runs the lanes of a warp, starting one after the other.
void run_lanes(void* object, emu::detail::LaneRun& run) {
  const auto& arguments = *static_cast<const Arguments*>(object);
  const ConfinedKernel& kernel = *arguments.kernel;
  // Stack reserved for functions that the kernel calls.
  constexpr std::uintptr_t kKept = std::uintptr_t{64} << 10;
  LaneGuard guard;
  guard.arguments = &arguments;
  guard.lowest = reinterpret_cast<std::uintptr_t>(emu::lane_stack_begin()) + kKept;
  guard.constants = reinterpret_cast<std::uintptr_t>(kernel.constants);
  guard.constants_end = reinterpret_cast<std::uintptr_t>(kernel.constants_end);
  guard.calls_end = guard.calls.data() + guard.calls.size();
  const std::uint64_t waits = run.waits;
  const unsigned end = run.end;
  unsigned thread = run.thread;
  for (;;) {
    emu::thread_index = run.index[thread];
    emu::lane_guard = &guard;
    guard.calls_top = guard.calls.data();
    guard.loads = guard.stores = {};
    confined_enter(kernel.entry, &arguments, &guard, kernel.stack_words);
    if (run.waits != waits) return;
    run.thread = ++thread;
    if (thread == end) return;
    if (run.between) run.between(run);
  }
}

}  // namespace

bool is_device_memory(std::uintptr_t begin, std::size_t bytes, Access access) {
  LaneGuard& guard = lane();
  for (const Ticket& range : guard.valid)
    if (inside(begin, bytes, range.begin, range.end)) return true;
  const auto remember = [&](std::uintptr_t first, std::uintptr_t last) {
    guard.valid[guard.next_valid++ % guard.valid.size()] = {first, last};
    return true;
  };
  const auto thread = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  const std::uintptr_t shared = thread + static_cast<std::uintptr_t>(guard.arguments->shared),
                       shared_end =
                           thread + static_cast<std::uintptr_t>(guard.arguments->shared_end);
  if (inside(begin, bytes, shared, shared_end)) return remember(shared, shared_end);
  const auto dynamic = reinterpret_cast<std::uintptr_t>(confined_dynamic_shared);
  const std::uintptr_t dynamic_end = dynamic + emu::dynamic_shared_bytes();
  if (inside(begin, bytes, dynamic, dynamic_end)) return remember(dynamic, dynamic_end);
  const auto* const address = reinterpret_cast<const void*>(begin);
  emu::Allocation allocation{};
  if (!emu::find_allocation(address, &allocation)) return false;
  const auto first = reinterpret_cast<std::uintptr_t>(allocation.begin);
  if (!inside(begin, bytes, first, first + allocation.bytes)) return false;
  const bool is_constant = emu::find_space(address) == emu::Space::constant;
  if (is_constant) return access == Access::load;
  return remember(first, first + allocation.bytes);
}

bool is_own(std::uintptr_t begin, std::size_t bytes, Access access, std::uintptr_t stack_pointer) {
  const LaneGuard& guard = lane();
  if (inside(begin, bytes, stack_pointer, guard.limit)) return true;
  return access == Access::load &&
         (inside(begin, bytes, guard.constants, guard.constants_end) || is_built_in(begin, bytes));
}

bool permits(std::uintptr_t begin, std::size_t bytes, Access access, std::uintptr_t stack_pointer) {
  if (is_own(begin, bytes, access, stack_pointer)) return true;
  const auto& tickets = access == Access::load ? lane().loads : lane().stores;
  return std::any_of(tickets.begin(), tickets.end(),
                     [&](const Ticket& ticket) {
                       return inside(begin, bytes, ticket.begin, ticket.end);
                     }) ||
         covered_together(tickets, begin, bytes);
}

void violate(const char* what, const void* program_counter) {
  constexpr std::size_t kMostKept = 100;
  std::array<char, 256> place{};
  emu::describe_place(program_counter, place.data(), place.size());
  {
    const std::lock_guard lock(violations_mutex);
    if (violations.size() < kMostKept) violations.push_back({what, place.data()});
  }
  emu::end_at_illegal_access(what, program_counter);
}

std::vector<Violation> take_violations() {
  const std::lock_guard lock(violations_mutex);
  return std::exchange(violations, {});
}

}  // namespace coursework::guard

using namespace coursework::guard;

extern "C" {

// Called by stubs.S.

void confined_check_slowly(std::uintptr_t address, std::size_t bytes, unsigned is_store,
                           std::uintptr_t stack_pointer, const void* program_counter) {
  if (permits(address, bytes, is_store ? Access::store : Access::load, stack_pointer)) return;
  violate(is_store ? "a store that is not counted, and not to the thread's own local memory"
                   : "a load that is not counted, and not from the thread's own local memory",
          program_counter);
}

void confined_check_argument(std::uintptr_t address, std::size_t bytes, unsigned mode,
                             std::uintptr_t stack_pointer, const void* program_counter) {
  constexpr unsigned kLater = 2;  // not the lane's stack: it may belong to another function by then
  const Access access = mode & 1 ? Access::store : Access::load;
  const LaneGuard& guard = lane();
  if (is_device_memory(address, bytes, access)) return;
  if (mode < kLater && inside(address, bytes, stack_pointer, guard.limit)) return;
  if (mode == 0 && inside(address, bytes, guard.constants, guard.constants_end)) return;
  emu::end_at_bad_address(reinterpret_cast<const void*>(address), bytes, access == Access::store,
                          program_counter);
}

[[noreturn]] void confined_too_deep(const void* program_counter) {
  violate("local memory of one thread is exhausted: too large, or calls too deep", program_counter);
}

[[noreturn]] void confined_wrong_return(const void* program_counter) {
  violate("a store beyond a local variable has overwritten where a function returns to",
          program_counter);
}

/// Launches a confined kernel: its entry calls this function.
void confined_launch(Arguments* arguments) {
  emu::detail::launch(arguments->kernel->encoding, &run_lanes, arguments);
}

}  // extern "C"
