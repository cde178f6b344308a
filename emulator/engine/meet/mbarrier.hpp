/// @file
/// An mbarrier: a barrier in shared memory that counts arrivals and bytes. Its 8 bytes, and the
/// operations on them.
#pragma once

#include <bit>
#include <cstdint>

namespace emu {

/// The most arrivals and bytes that one phase can wait for, as on a device.
constexpr std::int64_t kMostArrivals = (1 << 20) - 1;
constexpr std::int64_t kMostBytes = (1 << 20) - 1;

struct Mbarrier {
  std::uint64_t parity : 1;     ///< parity of the current phase
  std::uint64_t expected : 20;  ///< arrivals that every phase waits for
  std::uint64_t missing : 20;   ///< arrivals that the current phase still waits for
  /// Bytes that the phase still waits for; negative if more have arrived than were announced.
  std::int64_t bytes : 21;
  std::uint64_t mark : 2;  ///< kInitialised; differs from that of memory that nothing wrote

  static constexpr std::uint64_t kInitialised = 2;

  static Mbarrier at(const std::uint64_t* word) { return std::bit_cast<Mbarrier>(*word); }
  static Mbarrier expecting(std::uint32_t count) { return {0, count, count, 0, kInitialised}; }
  void store(std::uint64_t* word) const { *word = std::bit_cast<std::uint64_t>(*this); }

  bool is_initialised() const { return mark == kInitialised; }
  /// Returns whether the newest phase with this parity is complete.
  bool is_over(unsigned of_parity) const { return parity != (of_parity & 1); }

  /// Begins the next phase if the current one is complete. To be called after each change.
  bool end_phase_if_complete() {
    if (missing != 0 || bytes != 0) return false;
    parity = parity ^ 1;
    missing = expected;
    return true;
  }
};
static_assert(sizeof(Mbarrier) == sizeof(std::uint64_t));

}  // namespace emu
