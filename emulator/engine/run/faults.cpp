// Handles the signals that a kernel's mistakes raise: an access to memory that is not the device's,
// a division by zero, a failed assertion. The kernel ends with CUDA's error; the program goes on
// and gets the error from its next call.
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "emulator/memory.h"
#include "engine/check/check_host.hpp"
#include "engine/check/checker.hpp"
#include "engine/run/division.hpp"
#include "engine/run/faults.hpp"
#include "engine/run/worker.hpp"
#include "unsupported.hpp"

namespace emu {

namespace {

thread_local int fault_signal = 0;
thread_local const void* fault_address = nullptr;
thread_local const void* fault_program_counter = nullptr;

std::string description_of(const void* address) {
  constexpr std::uintptr_t kNearNull = 4096;
  std::array<char, 200> text{};
  const std::size_t length = describe_address(address, text.data(), text.size());
  std::string what(text.data(), length);
  if (what.empty())
    what = reinterpret_cast<std::uintptr_t>(address) < kNearNull ? "a null pointer, or near one"
                                                                 : "no memory of the device";
  return fmt::format("illegal address {}: {}", address, what);
}

[[noreturn]] void after_fault() {
  if (Worker& worker = *Worker::running(); worker.runs_block_form()) {
    if (fault_signal == SIGSEGV || fault_signal == SIGBUS)
      worker.run_again(cudaErrorIllegalAddress, description_of(fault_address));
    if (fault_signal == SIGILL)
      worker.run_again(cudaErrorIllegalInstruction, "illegal instruction");
    // A division by zero: the block runs again thread by thread, where it can complete.
    worker.run_again(cudaSuccess, {});
  }
  if (fault_signal == SIGFPE || fault_signal == SIGTRAP)
    fail_kernel(cudaErrorLaunchFailure, "integer division by zero, which is undefined",
                fault_program_counter);
  if (fault_signal == SIGILL)
    fail_kernel(cudaErrorIllegalInstruction, "illegal instruction", fault_program_counter);
  if (Worker::running()->current_stack() &&
      reinterpret_cast<std::uintptr_t>(Worker::running()->current_stack()->memory) -
              reinterpret_cast<std::uintptr_t>(fault_address) <=
          kGuardBytes)
    fail_kernel(cudaErrorLaunchFailure,
                fmt::format("local memory of one thread exceeds {} KiB", kStackBytes / 1024),
                nullptr);
  if (const std::string why = Worker::running()->window_fault(fault_address); !why.empty())
    fail_kernel(why.starts_with("beyond") ? cudaErrorIllegalAddress : cudaErrorLaunchFailure, why,
                fault_program_counter);
  if (Checker* const checker = Worker::running()->checker(); checker && checking().memory) {
    checker->memory.refused(reinterpret_cast<std::uintptr_t>(fault_address),
                            reinterpret_cast<std::uintptr_t>(fault_program_counter));
    fail_kernel(cudaErrorIllegalAddress, "", fault_program_counter);
  }
  fail_kernel(cudaErrorIllegalAddress, description_of(fault_address), fault_program_counter);
}

void* program_counter_of(ucontext_t* context) {
#if defined(__x86_64__)
  return reinterpret_cast<void*>(context->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void*>(context->uc_mcontext.pc);
#endif
}

// Makes the interrupted code continue in after_fault(), at the top of the same stack. The frames
// that were on the stack are never returned to.
void continue_after_fault(ucontext_t* context) {
  const std::uintptr_t top = (Worker::running()->current_stack()->top() & ~std::uintptr_t{15}) - 8;
#if defined(__x86_64__)
  context->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top);
  context->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&after_fault);
#elif defined(__aarch64__)
  context->uc_mcontext.sp = top - 8;
  context->uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(&after_fault);
#endif
}

void on_fault(int signal, siginfo_t* info, void* context) {
  auto* const interrupted = static_cast<ucontext_t*>(context);
  Worker* worker = Worker::running();
  if (signal == SIGFPE && worker && worker->lane_is_running() && !worker->runs_block_form() &&
      finish_division(*interrupted))
    return;
  if (worker && worker->lane_is_running() && worker->current_stack() &&
      // A fault while another is reported ends the program.
      !std::exchange(worker->failing, true)) {
    fault_signal = signal;
    fault_address = info->si_addr;
    fault_program_counter = program_counter_of(interrupted);
    continue_after_fault(interrupted);
    return;
  }
  if (signal == SIGSEGV || signal == SIGBUS) {
    // Ends a program that is checked.
    note_host_access(info->si_addr, program_counter_of(interrupted));
    explain_host_fault(info->si_addr);
  }
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);  // the instruction runs again, and now ends the program
}

// Large enough for a whole report: the handler may read debug information and write JSON before it
// ends the program.
constexpr std::size_t kSignalStackBytes = std::size_t{1} << 20;

struct SignalStack {
  SignalStack() {
    // The lowest page stays inaccessible, so that an overflow of this stack changes no other
    // memory.
    void* const mapped = mmap(nullptr, kGuardBytes + kSignalStackBytes, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    // Without this stack, a fault ends the program without an explanation.
    if (mapped == MAP_FAILED) return;
    memory = static_cast<char*>(mapped);
    mprotect(memory + kGuardBytes, kSignalStackBytes, PROT_READ | PROT_WRITE);
    stack_t stack{};
    stack.ss_sp = memory + kGuardBytes;
    stack.ss_size = kSignalStackBytes;
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (!memory) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory, kGuardBytes + kSignalStackBytes);
  }
  char* memory = nullptr;
};

struct sigaction our_action() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  return action;
}

// Installed at program start, so that host code which dereferences a device pointer gets an
// explanation.
[[maybe_unused]] const bool installed = [] {
  const struct sigaction action = our_action();
  for (const int signal : kFaultSignals) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
  return true;
}();

}  // namespace

void prepare_thread_for_faults() { thread_local const SignalStack stack; }

FaultHandlers::FaultHandlers() {
  const struct sigaction action = our_action();
  for (std::size_t i = 0; i < kFaultSignals.size(); ++i)
    sigaction(kFaultSignals[i], &action, &before_[i]);
}

FaultHandlers::~FaultHandlers() {
  for (std::size_t i = 0; i < kFaultSignals.size(); ++i)
    sigaction(kFaultSignals[i], &before_[i], nullptr);
}

namespace {

[[noreturn]] void refuse_misaligned(std::uintptr_t address, unsigned bytes, AccessKind kind,
                                    std::uintptr_t program_counter) {
  std::string message =
      fmt::format("misaligned address {:#x}: {} bytes move only from and to multiples of {}",
                  address, bytes, bytes);
  if (Checker* const checker = Worker::running()->checker(); checker && checking().memory) {
    checker->memory.misaligned(address, bytes, kind, program_counter);
    message.clear();  // the finding says it
  }
  fail_kernel(cudaErrorMisalignedAddress, message, reinterpret_cast<const void*>(program_counter));
}

}  // namespace

// Accepts 16-byte accesses at a multiple of 8 in functions that have a struct of two doubles: g++
// announces such an access like that of a 16-byte vector, which needs a multiple of 16.
void check_alignment(std::uintptr_t address, unsigned bytes, AccessKind kind,
                     std::uintptr_t program_counter) {
  const Worker* const worker = Worker::running();
  if (!worker || !worker->lane_is_running()) return;  // host code
  constexpr unsigned kVectorBytes = 16;
  if (bytes == kVectorBytes && address % (kVectorBytes / 2) == 0 && kind != AccessKind::atomic &&
      uses_half_aligned_struct(program_counter))
    return;
  refuse_misaligned(address, bytes, kind, program_counter);
}

void illegal_address(const void* address) {
  const OwnMemory& memory = Worker::running()->launch().of_launcher;
  if (reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(memory.begin) <
      memory.bytes)
    fail_kernel(
        cudaErrorInvalidAddressSpace,
        fmt::format("an address in {} of the thread that launched the kernel", memory.owner),
        Worker::running()->log().current_instruction());
  fail_kernel(cudaErrorIllegalAddress, description_of(address),
              Worker::running()->log().current_instruction());
}

void exit_lane() { throw LaneExit(); }

void device_trap(const char* what) {
  fail_kernel(cudaErrorLaunchFailure, what, __builtin_return_address(0));
}

void unsupported(const char* name, const char* shown) {
  std::string message;
  for (const Sign sign : {Sign::of_call, Sign::of_code, Sign::of_case})
    if (message.empty()) message = unsupported_message(sign, name, shown ? shown : "");
  std::fflush(stdout);
  fmt::print(stderr, "emulator: not supported: {}\n", message.empty() ? name : message);
  std::_Exit(2);
}

}  // namespace emu

extern "C" void emu_run_by_threads(std::uintptr_t, unsigned, int) {
  emu::Worker::running()->run_again(cudaSuccess, {});
}

extern "C" void emu_refuse_address(std::uintptr_t address, unsigned bytes, int is_store) {
  const auto call_site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  emu::refuse_misaligned(address, bytes, is_store ? emu::AccessKind::store : emu::AccessKind::load,
                         call_site);
}

extern "C" void __assert_fail(const char* assertion, const char* file, unsigned line,
                              const char* function) noexcept {
  if (emu::in_kernel())
    emu::fail_kernel(
        cudaErrorAssert,
        fmt::format("{}:{}: {}: Assertion `{}` failed.", file, line, function, assertion), nullptr);
  fmt::print(stderr, "{}:{}: {}: Assertion `{}' failed.\n", file, line, function, assertion);
  std::abort();
}
