/// @file
/// The cost of one request, computed from the addresses of its lanes alone.
#pragma once

#include <array>
#include <cstdint>

#include "course/counters.hpp"

namespace emu {

constexpr unsigned kWarpSize = course::kWarpSize;
constexpr unsigned kSectorBytes = course::kSectorBytes;
constexpr unsigned kLineBytes = course::kLineBytes;
constexpr unsigned kBanks = 32;
constexpr unsigned kBankBytes = 4;
constexpr std::uint32_t kFullMask = 0xffffffffu;

using LaneAddresses = std::array<std::uint64_t, kWarpSize>;  // [lane], bytes

struct GlobalCost {
  unsigned sectors = 0;
  unsigned lines = 0;
  unsigned bytes = 0;  ///< distinct bytes
  bool operator==(const GlobalCost&) const = default;
};

enum class AccessKind : std::uint8_t { load, store, atomic };

/// Returns the sectors, lines and distinct bytes that `lanes` touch with accesses of `access_bytes`
/// each. Also for distributed shared memory, which moves in sectors. For atomics a sector counts as
/// often as its busiest word, because atomics on one word follow one another.
/// @pre at least one lane; access_bytes is 1, 2, 4, 8 or 16
GlobalCost global_cost(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                       unsigned access_bytes);

/// Returns how many different addresses the lanes have, which is how often constant memory is
/// asked: also for lanes that read different bytes of one word. Source: Nsight Compute's
/// idc__requests on an H200.
/// @pre at least one lane
unsigned distinct_addresses(const LaneAddresses& addresses, std::uint32_t lanes);

/// Returns whether the addresses have the same distance from each active lane to the next: 0,
/// adjacent, or any stride.
bool evenly_spaced(const LaneAddresses& addresses, std::uint32_t lanes);

struct SharedCost {
  unsigned wavefronts = 0;
  unsigned wavefronts_ideal = 0;
  bool operator==(const SharedCost&) const = default;
};

/// Returns the wavefronts of a request to shared memory. A wavefront delivers one word of 4 bytes
/// from each of the 32 banks, to any number of lanes; atomics on one word take one wavefront each.
///
/// 8-byte accesses are served half a warp at a time, 16-byte accesses a quarter. Loads are served
/// twice as many lanes at a time if throughout the warp every lane agrees with lane xor 1, or every
/// lane with lane xor 2: both have the same address, or one is inactive. `wavefronts_ideal` is what
/// the same lanes would need without bank conflicts, as Nsight Compute computes it. Source:
/// measured on an H200, see docs/measurements; tests/emulator/counters holds the patterns.
SharedCost shared_cost(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                       unsigned access_bytes);

}  // namespace emu
