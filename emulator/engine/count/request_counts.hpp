/// @file
/// From the addresses of requests to counters.
#pragma once

#include <cstdint>

#include "engine/count/cost.hpp"
#include "engine/count/site.hpp"

namespace emu {

/// Counts `times` requests of these lanes at the site.
void count_requests(Site& site, AccessSpace space, const LaneAddresses& addresses,
                    std::uint32_t lanes, std::uint64_t times);

/// Counts what the site's pattern has foretold since this was called last.
void count_foretold(Site& site);

}  // namespace emu
