#include "engine/count/request_counts.hpp"

#include <bit>

namespace emu {

namespace {

/// Returns the smallest number of sectors that can hold the distinct bytes.
unsigned ideal_sectors(const GlobalCost& cost) {
  return (cost.bytes + kSectorBytes - 1) / kSectorBytes;
}

}  // namespace

void count_requests(AccessSite& site, AccessSpace space, const LaneAddresses& addresses,
                    std::uint32_t lanes, std::uint64_t times) {
  Counters& counters = site.counters;
  counters.warp_instructions += times;
  counters.lane_instructions += times * static_cast<unsigned>(std::popcount(lanes));
  const auto of_kind = [&](auto& load, auto& store, auto& atomic) -> auto& {
    return site.kind == AccessKind::load ? load : site.kind == AccessKind::store ? store : atomic;
  };
  if (space == AccessSpace::global) {
    auto& memory = of_kind(counters.global_load, counters.global_store, counters.global_atomic);
    auto& ideal = counters.sectors_ideal;
    const GlobalCost cost = global_cost(site.kind, addresses, lanes, site.access_bytes);
    memory.requests += times;
    memory.sectors += times * cost.sectors;
    memory.lines += times * cost.lines;
    memory.bytes += times * cost.bytes;
    if (site.kind == AccessKind::load && !evenly_spaced(addresses, lanes))
      counters.uneven_global_loads += times;
    of_kind(ideal.global_load, ideal.global_store, ideal.global_atomic) +=
        times * ideal_sectors(cost);
  } else if (space == AccessSpace::shared) {
    auto& shared = of_kind(counters.shared_load, counters.shared_store, counters.shared_atomic);
    const SharedCost cost = shared_cost(site.kind, addresses, lanes, site.access_bytes);
    shared.requests += times;
    shared.wavefronts += times * cost.wavefronts;
    shared.wavefronts_ideal += times * cost.wavefronts_ideal;
  } else if (space == AccessSpace::dshared) {
    auto& memory = of_kind(counters.dshared_load, counters.dshared_store, counters.dshared_atomic);
    const GlobalCost cost = global_cost(site.kind, addresses, lanes, site.access_bytes);
    memory.requests += times;
    memory.sectors += times * cost.sectors;
    memory.sectors_ideal += times * ideal_sectors(cost);
  } else {  // constant memory
    counters.constant_load.requests += times;
    counters.constant_load.addresses += times * distinct_addresses(addresses, lanes);
  }
}

void count_predicted(AccessSite& site) {
  if (!site.pattern) return;
  Pattern& pattern = *site.pattern;
  // Makes all addresses positive; a multiple of a line.
  constexpr std::int64_t kFar = std::int64_t{1} << 46;
  for (unsigned residue = 0; residue < kLineBytes; ++residue) {
    if (pattern.times[residue] == 0) continue;
    LaneAddresses addresses{};
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      addresses[lane] =
          static_cast<std::uint64_t>(kFar + residue + pattern.addresses.offsets[lane]);
    count_requests(site, pattern.space, addresses, pattern.addresses.lanes, pattern.times[residue]);
    pattern.times[residue] = 0;
  }
}

}  // namespace emu
