// Clocks that a kernel can read.
#include <time.h>

#include <chrono>

#include "emulator/device.h"

namespace emu {

std::uint64_t clock() noexcept {
  using std::chrono::steady_clock, std::chrono::nanoseconds;
  const auto now = std::chrono::duration_cast<nanoseconds>(steady_clock::now().time_since_epoch());
  return static_cast<std::uint64_t>(now.count());
}

std::uint64_t clock_cycles() noexcept {
  constexpr std::uint64_t kNanosecondsPerMicrosecond = 1000;
  const std::uint64_t ns = clock();
  return ns / kNanosecondsPerMicrosecond * kClockMegahertz +
         ns % kNanosecondsPerMicrosecond * kClockMegahertz / kNanosecondsPerMicrosecond;
}

}  // namespace emu

// In a kernel, returns the multiprocessor's cycles, as clock64() does; in host code, the processor
// time that the program has used, as the C library does.
extern "C" clock_t clock() noexcept {
  if (emu::in_kernel()) return static_cast<clock_t>(emu::clock_cycles());
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
  constexpr long kTicks = CLOCKS_PER_SEC, kNanosecondsPerTick = 1'000'000'000 / kTicks;
  return used.tv_sec * kTicks + used.tv_nsec / kNanosecondsPerTick;
}
