/// @file
/// Counters under the names that every JSON of the course gives them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "emulator/counters.h"

namespace emu {

/// 100 x part / whole; 0 of nothing.
double percent(std::uint64_t part, std::uint64_t whole);

/// Adds `<prefix>_requests`, `..._sectors` and so on.
void put_counters(nlohmann::ordered_json& json, const std::string& prefix,
                  const MemoryCounters& memory);
void put_counters(nlohmann::ordered_json& json, const std::string& prefix,
                  const SharedCounters& shared);

/// Adds `bulk_copies` and `bulk_bytes`, where there are any.
void put_counters(nlohmann::ordered_json& json, const BulkCounters& bulk);

/// Adds `active_lanes_avg`, null where nothing was counted.
void put_active_lanes(nlohmann::ordered_json& json, const Counters& counters);

}  // namespace emu
