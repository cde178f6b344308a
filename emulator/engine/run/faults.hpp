/// @file
/// Signals that a kernel's mistakes raise.
#pragma once

#include <signal.h>

#include <array>
#include <cstdint>

#include "engine/count/cost.hpp"

namespace emu {

// A division by zero does not trap on aarch64: the compiler's own check (cuda_compilation.cpp)
// does, with a breakpoint.
#if defined(__aarch64__)
constexpr std::array kFaultSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#else
constexpr std::array kFaultSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif

/// Our handlers, for as long as a kernel runs: the program may have its own for its own faults.
class FaultHandlers {
 public:
  FaultHandlers();
  ~FaultHandlers();
  FaultHandlers(const FaultHandlers&) = delete;
  FaultHandlers& operator=(const FaultHandlers&) = delete;

 private:
  std::array<struct sigaction, kFaultSignals.size()> before_{};
};

/// Gives the calling thread a stack to handle faults on.
void prepare_thread_for_faults();

extern "C" {
// What quick forms of kernels call (compiler/quick_checks.cpp).
/// A lane looks at memory that others may change, perhaps again and again.
void emu_be_patient();
/// An address that a block may use is no multiple of what a device wants it to be. Nothing has been
/// done yet: the block runs thread by thread, so that an access can say so, if there is any.
[[noreturn]] void emu_run_by_threads(std::uintptr_t address, unsigned bytes, int is_store);
/// The address is no multiple of what a device wants it to be.
[[noreturn]] void emu_refuse_address(std::uintptr_t address, unsigned bytes, int is_store);
}

/// Before an access at an address that is no multiple of its size. Ends the kernel if a lane runs
/// and a device would.
void check_alignment(std::uintptr_t address, unsigned bytes, AccessKind kind,
                     std::uintptr_t program_counter);

}  // namespace emu
