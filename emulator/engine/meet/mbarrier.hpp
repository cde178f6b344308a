/// @file
/// A barrier in shared memory that counts arrivals and bytes: what its 8 bytes hold, and what
/// changes them.
#pragma once

#include <bit>
#include <cstdint>

namespace emu {

/// Arrivals and bytes that one phase can wait for: as on a device.
constexpr std::int64_t kMostArrivals = (1 << 20) - 1;
constexpr std::int64_t kMostBytes = (1 << 20) - 1;

struct Mbarrier {
  std::uint64_t parity : 1;     ///< of the running phase
  std::uint64_t expected : 20;  ///< arrivals of every phase
  std::uint64_t missing : 20;   ///< arrivals that the running phase still waits for
  std::int64_t bytes : 21;      ///< that it waits for; negative: more have come than were announced
  std::uint64_t mark : 2;       ///< kInitialised; memory that nothing wrote has another one

  static constexpr std::uint64_t kInitialised = 2;

  static Mbarrier at(const std::uint64_t* word) { return std::bit_cast<Mbarrier>(*word); }
  static Mbarrier expecting(std::uint32_t count) { return {0, count, count, 0, kInitialised}; }
  void store(std::uint64_t* word) const { *word = std::bit_cast<std::uint64_t>(*this); }

  bool is_initialised() const { return mark == kInitialised; }
  /// Whether the newest phase of this parity is over.
  bool is_over(unsigned of_parity) const { return parity != (of_parity & 1); }

  /// After arrivals and bytes: begins the next phase if nothing is missing.
  bool end_phase_if_complete() {
    if (missing != 0 || bytes != 0) return false;
    parity = parity ^ 1;
    missing = expected;
    return true;
  }
};
static_assert(sizeof(Mbarrier) == sizeof(std::uint64_t));

}  // namespace emu
