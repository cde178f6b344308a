#include "cost.hpp"

#include <algorithm>
#include <bit>

namespace emu {
namespace {

struct Sorted {
  LaneAddresses address;  // [count], ascending
  unsigned count = 0;
};

Sorted sorted_addresses(const LaneAddresses& addresses, std::uint32_t lanes) {
  Sorted sorted;
  bool ascending = true;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = addresses[static_cast<unsigned>(std::countr_zero(lanes))];
    if (sorted.count > 0 && address < sorted.address[sorted.count - 1]) ascending = false;
    sorted.address[sorted.count++] = address;
  }
  if (!ascending) std::sort(sorted.address.begin(), sorted.address.begin() + sorted.count);
  return sorted;
}

// Blocks of `block_bytes` that the ascending accesses touch.
unsigned blocks_touched(const Sorted& sorted, unsigned access_bytes, unsigned block_bytes) {
  unsigned touched = 0;
  std::uint64_t next = 0;  // first block not counted yet
  for (unsigned i = 0; i < sorted.count; ++i) {
    const std::uint64_t first = std::max(sorted.address[i] / block_bytes, next);
    const std::uint64_t last = (sorted.address[i] + access_bytes - 1) / block_bytes;
    if (first > last) continue;
    touched += static_cast<unsigned>(last - first + 1);
    next = last + 1;
  }
  return touched;
}

// Passes for lanes served together: the bank with most distinct words decides.
unsigned passes(const LaneAddresses& addresses, std::uint32_t lanes, unsigned access_bytes) {
  std::array<std::uint64_t, kWarpSize * 4> words;  // at most four words a lane
  unsigned count = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = addresses[static_cast<unsigned>(std::countr_zero(lanes))];
    const std::uint64_t last = (address + access_bytes - 1) / kBankBytes;
    for (std::uint64_t word = address / kBankBytes; word <= last; ++word) words[count++] = word;
  }
  std::sort(words.begin(), words.begin() + count);
  const auto end = std::unique(words.begin(), words.begin() + count);
  std::array<unsigned, kBanks> per_bank{};
  unsigned most = 0;
  for (auto word = words.begin(); word != end; ++word) most = std::max(most, ++per_bank[*word % kBanks]);
  return most;
}

}  // namespace

GlobalCost global_cost(const LaneAddresses& addresses, std::uint32_t lanes, unsigned access_bytes) {
  const Sorted sorted = sorted_addresses(addresses, lanes);
  return {.sectors = blocks_touched(sorted, access_bytes, kSectorBytes),
          .lines = blocks_touched(sorted, access_bytes, kLineBytes),
          .bytes = blocks_touched(sorted, access_bytes, 1)};
}

SharedCost shared_cost(const LaneAddresses& addresses, std::uint32_t lanes, unsigned access_bytes) {
  const unsigned parts = std::max(1u, access_bytes / kBankBytes);  // 1, 2 or 4 groups of lanes
  const unsigned lanes_per_part = kWarpSize / parts;
  SharedCost cost;
  for (unsigned part = 0; part < parts; ++part) {
    const std::uint32_t all = lanes_per_part == kWarpSize ? kFullMask : (1u << lanes_per_part) - 1;
    const std::uint32_t active = lanes & (all << (part * lanes_per_part));
    if (active == 0) continue;
    cost.wavefronts += passes(addresses, active, access_bytes);
    cost.wavefronts_ideal += 1;
  }
  return cost;
}

}  // namespace emu
