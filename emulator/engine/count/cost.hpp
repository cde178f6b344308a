/// @file
/// What one warp-level instruction costs, from the addresses of its lanes alone.
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

/// Sectors, lines and distinct bytes of `lanes` accessing `access_bytes` each. Atomics on one word
/// follow one another, so a sector counts as often as its busiest word. Distributed shared memory
/// is moved in sectors as well.
/// @pre at least one lane; access_bytes is 1, 2, 4, 8 or 16
GlobalCost global_cost(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                       unsigned access_bytes);

/// Whether the lanes' addresses lie at one distance from lane to lane: one address for all,
/// neighbours, every second element.
bool evenly_spaced(const LaneAddresses& addresses, std::uint32_t lanes);

struct SharedCost {
  unsigned wavefronts = 0;
  unsigned wavefronts_ideal = 0;
  bool operator==(const SharedCost&) const = default;
};

/// Passes through the banks: 32 banks of 4 bytes, one word a bank and pass; the same word serves
/// any number of lanes, unless they are atomics.
///
/// 8-byte accesses go half a warp at a time, 16-byte ones a quarter. Loads go twice as many lanes
/// at a time if in the whole warp every lane agrees with lane xor 1, or every lane with lane xor 2:
/// the same address, or one of the two inactive. Ideal is what the same lanes need if no two words
/// fall into one bank, as Nsight Compute sees it. Source: measured on an H200, see
/// docs/measurements; tests/emulator/counters holds the patterns.
SharedCost shared_cost(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                       unsigned access_bytes);

}  // namespace emu
