/// @file
/// What a confined lane may touch at the moment. It lies on the lane's own stack, above everything
/// that the lane can reach; stubs.S knows the offsets of its first members.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/confined.h"

namespace coursework::guard {

/// Bytes that have just been counted, begin...end-1, and may be touched once the hook returns.
struct Ticket {
  std::uintptr_t begin = 0, end = 0;
};
constexpr std::size_t kTickets = 4;  ///< newest ones that are kept, of loads and of stores
constexpr std::size_t kDeepestCalls = 512;

/// A kernel of the submission, as the assembly pass describes it.
struct ConfinedKernel {
  const char* encoding;       ///< mangled, without `_Z`
  void (*entry)();            ///< the guarded code
  std::uint64_t stack_words;  ///< arguments that are passed on the stack
  const char* constants;      ///< read-only data of the submission, begin and end
  const char* constants_end;
};

/// The arguments of a launch, by register.
struct Arguments {
  std::array<std::uint64_t, 6> integers;
  std::array<double, 8> floats;
  const std::uint64_t* stack;
  const ConfinedKernel* kernel;
  std::int64_t shared;  ///< the submission's static __shared__ variables, from the thread pointer
  std::int64_t shared_end;
};

struct LaneGuard {
  std::uintptr_t limit = 0;   ///< first byte above the part of its stack that the lane may touch
  std::uintptr_t lowest = 0;  ///< its stack pointer may not go below
  std::uintptr_t constants = 0, constants_end = 0;
  std::uintptr_t* calls_top = nullptr;  ///< behind the newest return address in `calls`
  std::uintptr_t* calls_end = nullptr;
  std::uintptr_t trusted_stack = 0;  ///< where the stack pointer was before the lane entered
  std::array<Ticket, kTickets> loads, stores;
  // stubs.S knows nothing of what follows.
  unsigned next_load = 0, next_store = 0;  ///< tickets to be replaced
  std::array<Ticket, 4> valid;             ///< allocations that were looked up
  unsigned next_valid = 0;
  const Arguments* arguments = nullptr;
  std::array<std::uintptr_t, kDeepestCalls> calls;  ///< return addresses
};

static_assert(offsetof(LaneGuard, limit) == 0 && offsetof(LaneGuard, lowest) == 8 &&
              offsetof(LaneGuard, constants) == 16 && offsetof(LaneGuard, calls_top) == 32 &&
              offsetof(LaneGuard, calls_end) == 40 && offsetof(LaneGuard, trusted_stack) == 48 &&
              offsetof(LaneGuard, loads) == 56 && offsetof(LaneGuard, stores) == 120 &&
              sizeof(Ticket) == 16);
static_assert(offsetof(Arguments, floats) == 48 && offsetof(Arguments, stack) == 112 &&
              offsetof(Arguments, kernel) == 120 && offsetof(Arguments, shared) == 128 &&
              sizeof(Arguments) == 144 && sizeof(ConfinedKernel) == 40);

inline LaneGuard& lane() { return *static_cast<LaneGuard*>(emu::lane_guard); }

enum class Access : std::uint8_t { load, store };

/// What needs no ticket: the lane's own live stack (from `stack_pointer` up) and, to be read, the
/// constants of the submission and threadIdx and its like.
bool is_own(std::uintptr_t begin, std::size_t bytes, Access access, std::uintptr_t stack_pointer);

/// Whether the running lane may touch these bytes now: its own, and what tickets cover.
bool permits(std::uintptr_t begin, std::size_t bytes, Access access, std::uintptr_t stack_pointer);

/// Device memory or shared memory of the block, whole and allocated; not constant memory if it is
/// to be written.
bool is_device_memory(std::uintptr_t begin, std::size_t bytes, Access access);

/// Ends the kernel, and remembers why.
[[noreturn]] void violate(const char* what, const void* program_counter);

}  // namespace coursework::guard
