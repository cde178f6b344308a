#include "engine/count/repeated_loads.hpp"

#include <utility>

#include "engine/count/lanes.hpp"
#include "engine/engine.hpp"

namespace emu {

namespace {

/// Calls visit(sector) for each sector that the lanes touch; a sector of consecutive lanes once.
template <class Visit>
void each_sector(const Row& row, std::uint32_t lanes, Visit&& visit) {
  std::uintptr_t before = ~std::uintptr_t{0};
  each_lane(lanes, [&](unsigned lane) {
    const std::uintptr_t first = row.address(lane) / kSectorBytes;
    const std::uintptr_t last = (row.address(lane) + row.site->access_bytes - 1) / kSectorBytes;
    for (std::uintptr_t sector = first; sector <= last; ++sector)
      if (sector != before) visit(before = sector);
  });
}

std::uint64_t hash_of(unsigned warp, const Row& row, std::uint32_t lanes) {
  std::uint64_t hash = scrambled((std::uint64_t{warp} << 32 | lanes) + kRandomStep);
  hash = scrambled(hash ^ row.site->access_bytes);
  each_lane(lanes, [&](unsigned lane) {
    hash = (hash ^ row.address(lane)) * kRandomStep;
    hash ^= hash >> 29;
  });
  return scrambled(hash);
}

}  // namespace

void RepeatedLoads::note_write(Block& block, const Row& row, std::uint32_t lanes) {
  block.last_write = ++block.now;
  each_sector(row, lanes, [&](std::uintptr_t sector) { block.written[sector] = block.now; });
}

bool RepeatedLoads::is_repeated(Block& block, unsigned warp, const Row& row, std::uint32_t lanes) {
  constexpr std::size_t kMostRemembered = 1 << 20;
  if (block.loaded.size() >= kMostRemembered) block.loaded.clear();
  Time& loaded = block.loaded[hash_of(warp, row, lanes)];
  const Time before = std::exchange(loaded, ++block.now);
  if (before == 0) return false;
  if (block.last_write < before) return true;
  bool is_written = false;
  each_sector(row, lanes, [&](std::uintptr_t sector) {
    const auto written = block.written.find(sector);
    is_written = is_written || (written != block.written.end() && written->second > before);
  });
  return !is_written;
}

void RepeatedLoads::end_phase(std::uint64_t block_number, unsigned warp, PhaseRows& rows) {
  Block& block = blocks_[block_number];
  const auto is_global = [&](const Row& row, std::uint32_t lanes) {
    return lanes != 0 && rows.space_of(row, lanes) == AccessSpace::global;
  };
  rows.each_side_row([&](const Row& row, std::uint32_t lanes) {
    if (row.site->kind != AccessKind::load && is_global(row, lanes)) note_write(block, row, lanes);
  });
  rows.each_row([&](Row& row, std::uint32_t lanes) {
    if (!is_global(row, lanes)) return;
    if (row.site->kind != AccessKind::load) return note_write(block, row, lanes);
    if (row.site->traits.is_volatile) return;
    if (is_repeated(block, warp, row, lanes)) ++row.site->counters.repeated_global_loads;
  });
}

}  // namespace emu
