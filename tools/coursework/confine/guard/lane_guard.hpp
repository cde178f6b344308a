/// @file
/// What a confined lane may touch at the moment. The object lies on the lane's stack, above all
/// that the lane can reach; stubs.S knows the offsets of the first members.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/confined.h"

namespace coursework::guard {

/// Bytes [begin, end) that were just counted and may be touched after the hook returns.
struct Ticket {
  std::uintptr_t begin = 0, end = 0;
};
/// The most recent tickets kept, for loads and for stores each.
constexpr std::size_t kTickets = 4;
constexpr std::size_t kDeepestCalls = 512;

/// A kernel of the submission, described by the assembly pass.
struct ConfinedKernel {
  const char* encoding;       ///< mangled, without `_Z`
  void (*entry)();            ///< the guarded code
  std::uint64_t stack_words;  ///< arguments passed on the stack
  const char* constants;      ///< begin and end of the submission's read-only data
  const char* constants_end;
};

/// The arguments of a launch, by register.
struct Arguments {
  std::array<std::uint64_t, 6> integers;
  std::array<double, 8> floats;
  const std::uint64_t* stack;
  const ConfinedKernel* kernel;
  /// Offset of the submission's static __shared__ variables from the thread pointer.
  std::int64_t shared;
  std::int64_t shared_end;
};

struct LaneGuard {
  std::uintptr_t limit = 0;   ///< first byte above the part of the stack that the lane may touch
  std::uintptr_t lowest = 0;  ///< lower bound of the lane's stack pointer
  std::uintptr_t constants = 0, constants_end = 0;
  std::uintptr_t* calls_top = nullptr;  ///< after the newest return address in `calls`
  std::uintptr_t* calls_end = nullptr;
  std::uintptr_t trusted_stack = 0;  ///< the stack pointer before entering the lane's code
  std::array<Ticket, kTickets> loads, stores;
  // stubs.S does not use the following members.
  unsigned next_load = 0, next_store = 0;  ///< tickets to replace next
  std::array<Ticket, 4> valid;             ///< recently found allocations
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

/// Returns whether an access needs no ticket: bytes in the lane's live stack (from `stack_pointer`
/// up), or reads of the submission's constants, threadIdx and similar variables.
bool is_own(std::uintptr_t begin, std::size_t bytes, Access access, std::uintptr_t stack_pointer);

/// Returns whether the running lane may touch these bytes now: its own, or covered by a ticket.
bool permits(std::uintptr_t begin, std::size_t bytes, Access access, std::uintptr_t stack_pointer);

/// Returns whether the bytes are allocated device memory or shared memory of the block; for stores,
/// constant memory does not count.
bool is_device_memory(std::uintptr_t begin, std::size_t bytes, Access access);

/// Ends the kernel and records the reason.
[[noreturn]] void violate(const char* what, const void* program_counter);

}  // namespace coursework::guard
