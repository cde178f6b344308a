/// @file
/// Handling of the signals that a kernel's mistakes raise.
#pragma once

#include <signal.h>

#include <array>
#include <cstdint>

#include "engine/count/cost.hpp"

namespace emu {

// On aarch64 a division by zero does not trap. There the compiler's own check
// (cuda_compilation.cpp) raises a breakpoint.
#if defined(__aarch64__)
constexpr std::array kFaultSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#else
constexpr std::array kFaultSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif

/// Installs the emulator's signal handlers while a kernel runs, and restores the program's own ones
/// after it.
class FaultHandlers {
 public:
  FaultHandlers();
  ~FaultHandlers();
  FaultHandlers(const FaultHandlers&) = delete;
  FaultHandlers& operator=(const FaultHandlers&) = delete;

 private:
  std::array<struct sigaction, kFaultSignals.size()> before_{};
};

/// Gives the calling thread a stack on which it can handle faults.
void prepare_thread_for_faults();

extern "C" {
// Called by quick forms of kernels (compiler/quick_checks.cpp).
/// Announces that a lane reads memory that other threads may change, perhaps in a loop.
void emu_be_patient();
/// Reports that an address which the block may use is misaligned for a device. No access has been
/// made yet: the block runs again thread by thread, so that the access itself, if there is one, is
/// reported.
[[noreturn]] void emu_run_by_threads(std::uintptr_t address, unsigned bytes, int is_store);
/// Reports that the address of an access is misaligned for a device.
[[noreturn]] void emu_refuse_address(std::uintptr_t address, unsigned bytes, int is_store);
}

/// Called before an access at an address that is no multiple of its size. Ends the kernel if a lane
/// is running and a device would refuse the access.
void check_alignment(std::uintptr_t address, unsigned bytes, AccessKind kind,
                     std::uintptr_t program_counter);

}  // namespace emu
