/// @file
/// In which round of which loops a thread is. Lanes that make an access in the same round make one
/// request; lanes that skip it there do not take part. The source rewriter puts these into loops
/// whose rounds may differ from lane to lane. The compiler may work out such a loop, too: a
/// lambda's may stand in a constant expression.
#pragma once

#include <cstdint>

namespace emu {

/// Names the rounds that the running lane is in, of all loops around it; 0 outside loops.
extern __thread std::uint64_t round_path __asm__("emu_round_path");

/// Whether the engine keeps for each path which rounds it names: where lanes go together, it must
/// know who is behind.
extern unsigned char rounds_are_kept __asm__("emu_round_paths_are_kept");

/// Keeps that the path `round` is a round of a loop that begins on the path `outside`; the caller
/// is the place of the loop.
/// @return `round`
[[gnu::const]] std::uint64_t keep_round(std::uint64_t outside, std::uint64_t round) noexcept;

/// The rounds of one execution of a loop.
class Rounds {
 public:
  /// @param loop  tells the loops of a source apart
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
    if (__builtin_is_constant_evaluated()) return;
    if (__builtin_expect(are_kept(), 0)) round_ = keep_round(outside_, round_);
    set_path(round_);
  }

  /// How many rounds of one loop a path is behind another one; a large number either way if they
  /// are not of one loop.
  static constexpr std::int64_t rounds_behind(std::uint64_t path, std::uint64_t other) {
    std::uint64_t inverse = 1;  // each turn doubles the low bits that are right
    for (int i = 0; i < 6; ++i) inverse *= 2 - kRoundStep * inverse;
    return static_cast<std::int64_t>((other - path) * inverse);
  }

 private:
  // Two steps, so that no loop's third round is the first one of the loop two further on.
  static constexpr std::uint64_t kLoopStep = 0xd1b54a32d192ed03u, kRoundStep = 0x9e3779b97f4a7c15u;

  // Assembly, because every other access would be counted as one of the kernel's; and without a
  // word of memory to the compiler, which may go on keeping in registers what it can.
  [[gnu::always_inline]] static std::uint64_t path() {
    std::uint64_t path;
#if defined(__x86_64__)
    __asm__ volatile("movq %%fs:emu_round_path@tpoff, %0" : "=r"(path));
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
#if defined(__x86_64__)
    __asm__ volatile("movq %0, %%fs:emu_round_path@tpoff" : : "r"(path));
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

  [[gnu::always_inline]] static bool are_kept() {
    unsigned kept;
#if defined(__x86_64__)
    __asm__ volatile("movzbl emu_round_paths_are_kept(%%rip), %0" : "=r"(kept));
#elif defined(__aarch64__)
    __asm__ volatile(
        "adrp %x0, emu_round_paths_are_kept\n\t"
        "ldrb %w0, [%x0, #:lo12:emu_round_paths_are_kept]"
        : "=r"(kept));
#endif
    return kept != 0;
  }

  std::uint64_t outside_, round_;
};

}  // namespace emu
