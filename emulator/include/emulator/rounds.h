/// @file
/// Tracks a thread's iterations ("rounds") of loops. Accesses of lanes in the same round form one
/// request; lanes that skip the access there do not take part. The source rewriter inserts these
/// calls into loops whose rounds may differ between lanes. Such a loop may also run at compile
/// time: a lambda may be part of a constant expression.
#pragma once

#include <cstdint>

namespace emu {

/// Identifies the rounds of all enclosing loops that the running lane is in; 0 outside of loops.
extern __thread std::uint64_t round_path __asm__("emu_round_path");

/// The rounds of a loop's execution.
class Rounds {
 public:
  /// @param loop  distinguishes the loops of a source
  [[gnu::always_inline]] constexpr explicit Rounds(std::uint64_t loop)
      : outside_(__builtin_is_constant_evaluated() ? 0 : path()),
        round_((outside_ + loop) * kLoopStep) {}
  [[gnu::always_inline]]
#if __cplusplus >= 202002L
  constexpr
#endif
      ~Rounds() {
    if (!__builtin_is_constant_evaluated()) set_path(outside_);
  }
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  [[gnu::always_inline]] constexpr void next() {
    round_ += kRoundStep;
    if (!__builtin_is_constant_evaluated()) enter(round_);
  }

  /// Returns whether `path` is the round after `other` in the same loop.
  static constexpr bool is_next(std::uint64_t path, std::uint64_t other) {
    return path - other == kRoundStep;
  }

  /// Returns how many rounds of one loop `path` is behind `other`; a number with a large absolute
  /// value if they belong to different loops.
  static constexpr std::int64_t rounds_behind(std::uint64_t path, std::uint64_t other) {
    std::uint64_t inverse = 1;  // each iteration doubles the number of correct low bits
    for (int i = 0; i < 6; ++i) inverse *= 2 - kRoundStep * inverse;
    return static_cast<std::int64_t>((other - path) * inverse);
  }

 private:
  // Two steps, so that no round of a loop equals a round of a nearby loop.
  static constexpr std::uint64_t kLoopStep = 0xd1b54a32d192ed03u, kRoundStep = 0x9e3779b97f4a7c15u;

  // In a module, variables of the program are accessed through a table.
#if defined(__PIC__) && !defined(__PIE__)
#define EMU_BY_TABLE
#endif

  // Assembly, because any other access would be counted as one of the kernel's. The statement does
  // not mention memory, so that the compiler can keep values in registers.
  [[gnu::always_inline]] static std::uint64_t path() {
    std::uint64_t path;
#if defined(__x86_64__) && defined(EMU_BY_TABLE)
    __asm__ volatile(
        "movq emu_round_path@gottpoff(%%rip), %0\n\t"
        "movq %%fs:(%0), %0"
        : "=r"(path));
#elif defined(__x86_64__)
    __asm__ volatile("movq %%fs:emu_round_path@tpoff, %0" : "=r"(path));
#elif defined(__aarch64__) && defined(EMU_BY_TABLE)
    std::uint64_t thread;
    __asm__ volatile(
        "adrp %0, :gottprel:emu_round_path\n\t"
        "ldr %0, [%0, #:gottprel_lo12:emu_round_path]\n\t"
        "mrs %1, tpidr_el0\n\t"
        "ldr %0, [%0, %1]"
        : "=&r"(path), "=&r"(thread));
#elif defined(__aarch64__)
    __asm__ volatile(
        "mrs %0, tpidr_el0\n\t"
        "add %0, %0, #:tprel_hi12:emu_round_path, lsl #12\n\t"
        "add %0, %0, #:tprel_lo12_nc:emu_round_path\n\t"
        "ldr %0, [%0]"
        : "=r"(path));
#endif
    return path;
  }
  [[gnu::always_inline]] static void set_path(std::uint64_t path) {
#if defined(__x86_64__) && defined(EMU_BY_TABLE)
    std::uint64_t offset;
    __asm__ volatile(
        "movq emu_round_path@gottpoff(%%rip), %0\n\t"
        "movq %1, %%fs:(%0)"
        : "=&r"(offset)
        : "r"(path));
#elif defined(__x86_64__)
    __asm__ volatile("movq %0, %%fs:emu_round_path@tpoff" : : "r"(path));
#elif defined(__aarch64__) && defined(EMU_BY_TABLE)
    std::uint64_t offset, thread;
    __asm__ volatile(
        "adrp %0, :gottprel:emu_round_path\n\t"
        "ldr %0, [%0, #:gottprel_lo12:emu_round_path]\n\t"
        "mrs %1, tpidr_el0\n\t"
        "str %2, [%0, %1]"
        : "=&r"(offset), "=&r"(thread)
        : "r"(path));
#elif defined(__aarch64__)
    std::uint64_t address;
    __asm__ volatile(
        "mrs %0, tpidr_el0\n\t"
        "add %0, %0, #:tprel_hi12:emu_round_path, lsl #12\n\t"
        "add %0, %0, #:tprel_lo12_nc:emu_round_path\n\t"
        "str %1, [%0]"
        : "=&r"(address)
        : "r"(path));
#endif
  }

  /// Sets the path at the beginning of a round. If lanes run in lockstep, the engine records how
  /// paths follow each other; its function preserves all registers.
  [[gnu::always_inline]] static void enter(std::uint64_t path) {
#if defined(__x86_64__) && !defined(EMULATOR_WITHOUT_LOCKSTEP) && defined(EMU_BY_TABLE)
    std::uint64_t place;
    __asm__ volatile __inline__(
        "movq emu_round_paths_are_kept@GOTPCREL(%%rip), %0\n\t"
        "cmpb $0, (%0)\n\t"
        "je 1f\n\t"
        "leaq -128(%%rsp), %%rsp\n\t"
        "pushq %1\n\t"
        "call emu_keep_round_path@PLT\n\t"
        "leaq 136(%%rsp), %%rsp\n"
        "1:\tmovq emu_round_path@gottpoff(%%rip), %0\n\t"
        "movq %1, %%fs:(%0)"
        : "=&r"(place)
        : "r"(path));
#elif defined(__x86_64__) && !defined(EMULATOR_WITHOUT_LOCKSTEP)
    __asm__ volatile __inline__(
        "cmpb $0, emu_round_paths_are_kept(%%rip)\n\t"
        "je 1f\n\t"
        // The red zone, which a function may use below its stack pointer.
        "leaq -128(%%rsp), %%rsp\n\t"
        "pushq %0\n\t"
        "call emu_keep_round_path\n\t"
        "leaq 136(%%rsp), %%rsp\n"
        "1:\tmovq %0, %%fs:emu_round_path@tpoff"
        :
        : "r"(path));
#else
    set_path(path);
#endif
  }
#undef EMU_BY_TABLE

  std::uint64_t outside_, round_;
};

}  // namespace emu
