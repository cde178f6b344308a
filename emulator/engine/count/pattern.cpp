#include "engine/count/pattern.hpp"

#include <algorithm>
#include <bit>

namespace emu {

bool Pattern::is_used() const {
  return std::any_of(times.begin(), times.end(), [](std::uint64_t n) { return n != 0; });
}

void Pattern::learn(const Row& row, std::uint32_t lanes, AccessKind kind, unsigned access_bytes,
                    AccessSpace in) {
  const auto size = static_cast<std::int64_t>(access_bytes);
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const std::array<std::int64_t, kWarpSize> from = row.addresses->offsets;
  std::array<std::int64_t, kWarpSize> sorted{};
  unsigned count = 0;
  addresses.offsets.fill(0);
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    sorted[count++] = addresses.offsets[lane] = from[lane] - from[first];
  }
  std::sort(sorted.begin(), sorted.begin() + count);
  lowest = sorted[0];
  highest = sorted[count - 1];
  overlaps = false;
  bytes = access_bytes;
  for (unsigned i = 1; i < count; ++i) {
    const std::int64_t further = sorted[i] - sorted[i - 1];
    overlaps = overlaps || further < size;
    bytes += static_cast<unsigned>(std::min(further, size));
  }
  bool in_row = ((lanes >> first) & ((lanes >> first) + 1)) == 0;  // no gap between active lanes
  for (unsigned i = 0; in_row && i < count; ++i)
    in_row = addresses.offsets[first + i] == static_cast<std::int64_t>(i) * size;
  shape = lowest == highest ? Shape::same : in_row ? Shape::in_row : Shape::scattered;
  if (kind == AccessKind::store)
    for (std::uint32_t left = ~lanes; left != 0; left &= left - 1)
      addresses.offsets[static_cast<unsigned>(std::countr_zero(left))] = highest += size;
  addresses.lanes = lanes;
  ++addresses.number;
  space = in;
}

}  // namespace emu
