#include "engine/count/cost.hpp"

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

// Returns how many blocks of `block_bytes` the ascending accesses touch. The size is a template
// argument because a division by an unknown number would take longer than all the rest.
template <unsigned block_bytes>
unsigned blocks_touched(const Sorted& sorted, unsigned access_bytes) {
  unsigned touched = 0;
  std::uint64_t next = 0;  // first block that is not counted yet
  for (unsigned i = 0; i < sorted.count; ++i) {
    const std::uint64_t first = std::max(sorted.address[i] / block_bytes, next);
    const std::uint64_t last = (sorted.address[i] + access_bytes - 1) / block_bytes;
    if (first > last) continue;
    touched += static_cast<unsigned>(last - first + 1);
    next = last + 1;
  }
  return touched;
}

// Returns the wavefronts of lanes that are served together: the largest number of distinct words in
// one bank.
unsigned passes(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                unsigned access_bytes) {
  std::array<std::uint64_t, kWarpSize * 4> words;  // at most four words a lane
  unsigned count = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = addresses[static_cast<unsigned>(std::countr_zero(lanes))];
    const std::uint64_t last = (address + access_bytes - 1) / kBankBytes;
    for (std::uint64_t word = address / kBankBytes; word <= last; ++word) words[count++] = word;
  }
  auto end = words.begin() + count;
  if (kind != AccessKind::atomic) {
    std::sort(words.begin(), end);
    end = std::unique(words.begin(), end);
  }
  std::array<unsigned, kBanks> per_bank{};
  unsigned most = 0;
  for (auto word = words.begin(); word != end; ++word)
    most = std::max(most, ++per_bank[*word % kBanks]);
  return most;
}

// Returns whether every active lane of `lanes` and the lane `distance` away from it access the same
// address, or one of the two is inactive.
bool agree(const LaneAddresses& addresses, std::uint32_t lanes, unsigned distance) {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const unsigned other = lane ^ distance;
    if (lanes >> other & 1 && addresses[other] != addresses[lane]) return false;
  }
  return true;
}

std::uint32_t lanes_of_part(unsigned part, unsigned lanes_per_part) {
  if (lanes_per_part == kWarpSize) return kFullMask;
  return ((1u << lanes_per_part) - 1) << (part * lanes_per_part);
}

// Returns the sectors of an atomic operation: each counts as often as its busiest word, because
// atomics on one word follow one another.
unsigned atomic_sectors(const Sorted& sorted) {
  unsigned visits = 0;
  for (unsigned i = 0; i < sorted.count;) {
    const std::uint64_t sector = sorted.address[i] / kSectorBytes;
    unsigned busiest = 0;
    while (i < sorted.count && sorted.address[i] / kSectorBytes == sector) {
      const std::uint64_t word = sorted.address[i];
      unsigned lanes = 0;
      for (; i < sorted.count && sorted.address[i] == word; ++i) ++lanes;
      busiest = std::max(busiest, lanes);
    }
    visits += busiest;
  }
  return visits;
}

}  // namespace

bool evenly_spaced(const LaneAddresses& addresses, std::uint32_t lanes) {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const std::uint32_t others = lanes & (lanes - 1);
  if (others == 0) return true;
  const auto away = [&](unsigned lane) {
    return static_cast<std::int64_t>(addresses[lane] - addresses[first]);
  };
  const auto second = static_cast<unsigned>(std::countr_zero(others));
  const std::int64_t distance = away(second) / (second - first);
  for (std::uint32_t left = others; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (away(lane) != distance * (lane - first)) return false;
  }
  return true;
}

GlobalCost global_cost(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                       unsigned access_bytes) {
  const Sorted sorted = sorted_addresses(addresses, lanes);
  return {.sectors = kind == AccessKind::atomic
                         ? atomic_sectors(sorted)
                         : blocks_touched<kSectorBytes>(sorted, access_bytes),
          .lines = blocks_touched<kLineBytes>(sorted, access_bytes),
          .bytes = blocks_touched<1>(sorted, access_bytes)};
}

unsigned distinct_addresses(const LaneAddresses& addresses, std::uint32_t lanes) {
  Sorted sorted = sorted_addresses(addresses, lanes);
  const auto begin = sorted.address.begin();
  return static_cast<unsigned>(std::unique(begin, begin + sorted.count) - begin);
}

SharedCost shared_cost(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                       unsigned access_bytes) {
  const unsigned parts = std::max(1u, access_bytes / kBankBytes);  // 1, 2 or 4 groups of lanes
  const auto pairs_agree = [&](std::uint32_t group) {
    return kind == AccessKind::load && (agree(addresses, group, 1) || agree(addresses, group, 2));
  };
  // Groups are served in pairs, either all of the warp's or none.
  const unsigned groups = parts > 1 && pairs_agree(lanes) ? parts / 2 : parts;
  SharedCost cost;
  for (unsigned group = 0; group < groups; ++group) {
    const std::uint32_t active = lanes & lanes_of_part(group, kWarpSize / groups);
    if (active != 0) cost.wavefronts += passes(kind, addresses, active, access_bytes);
  }
  // Nsight Compute's ideal decides for each pair separately, and is at most what the bytes need.
  unsigned ideal = 0;
  for (unsigned pair = 0; pair < (parts + 1) / 2; ++pair) {
    const unsigned lanes_per_pair = std::min(kWarpSize, 2 * kWarpSize / parts);
    const std::uint32_t both = lanes & lanes_of_part(pair, lanes_per_pair);
    const std::uint32_t first = both & lanes_of_part(2 * pair, lanes_per_pair / 2);
    if (both != 0) ideal += parts == 1 || first == 0 || first == both || pairs_agree(both) ? 1 : 2;
  }
  constexpr unsigned kBytesPerPass = kBanks * kBankBytes;
  const unsigned bytes = static_cast<unsigned>(std::popcount(lanes)) * access_bytes;
  cost.wavefronts_ideal = std::min(ideal, (bytes + kBytesPerPass - 1) / kBytesPerPass);
  return cost;
}

}  // namespace emu
