/// @file
/// Turns the addresses of requests into counters.
#pragma once

#include <cstdint>

#include "engine/count/cost.hpp"
#include "engine/count/site.hpp"

namespace emu {

/// Counts `times` requests of `lanes` with these addresses at the site.
void count_requests(AccessSite& site, AccessSpace space, const LaneAddresses& addresses,
                    std::uint32_t lanes, std::uint64_t times);

/// Counts the requests that have followed the site's pattern since the last call.
void count_predicted(AccessSite& site);

}  // namespace emu
