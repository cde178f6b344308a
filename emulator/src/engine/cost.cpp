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
unsigned passes(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes, unsigned access_bytes) {
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
  for (auto word = words.begin(); word != end; ++word) most = std::max(most, ++per_bank[*word % kBanks]);
  return most;
}

// Whether every active lane of the part and the lane `distance` away from it want the same.
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

}  // namespace

GlobalCost global_cost(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                       unsigned access_bytes) {
  const Sorted sorted = sorted_addresses(addresses, lanes);
  GlobalCost cost{.sectors = blocks_touched(sorted, access_bytes, kSectorBytes),
                  .lines = blocks_touched(sorted, access_bytes, kLineBytes),
                  .bytes = blocks_touched(sorted, access_bytes, 1)};
  if (kind == AccessKind::atomic)
    for (unsigned i = 1; i < sorted.count; ++i)
      if (sorted.address[i] == sorted.address[i - 1]) ++cost.sectors;
  return cost;
}

SharedCost shared_cost(AccessKind kind, const LaneAddresses& addresses, std::uint32_t lanes,
                       unsigned access_bytes) {
  const unsigned parts = std::max(1u, access_bytes / kBankBytes);  // 1, 2 or 4 groups of lanes
  SharedCost cost;
  const auto serve = [&](std::uint32_t group) {
    if (group == 0) return;
    cost.wavefronts += passes(kind, addresses, group, access_bytes);
    cost.wavefronts_ideal += 1;
  };
  if (parts == 1) {
    serve(lanes);
  } else {
    const unsigned lanes_per_pair = 2 * kWarpSize / parts;
    for (unsigned pair = 0; pair < parts / 2; ++pair) {
      const std::uint32_t both = lanes & lanes_of_part(pair, lanes_per_pair);
      if (kind == AccessKind::load && (agree(addresses, both, 1) || agree(addresses, both, 2))) {
        serve(both);
      } else {
        serve(both & lanes_of_part(2 * pair, lanes_per_pair / 2));
        serve(both & lanes_of_part(2 * pair + 1, lanes_per_pair / 2));
      }
    }
  }
  constexpr unsigned kBytesPerPass = kBanks * kBankBytes;
  const unsigned bytes = static_cast<unsigned>(std::popcount(lanes)) * access_bytes;
  cost.wavefronts_ideal = std::min(cost.wavefronts_ideal, (bytes + kBytesPerPass - 1) / kBytesPerPass);
  return cost;
}

}  // namespace emu
