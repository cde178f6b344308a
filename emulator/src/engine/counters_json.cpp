#include "counters_json.hpp"

#include "cost.hpp"

namespace emu {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void put_counters(nlohmann::ordered_json& json, const std::string& prefix,
                  const MemoryCounters& memory) {
  json[prefix + "_requests"] = memory.requests;
  json[prefix + "_sectors"] = memory.sectors;
  json[prefix + "_lines"] = memory.lines;
  json[prefix + "_bytes"] = memory.bytes;
  json[prefix + "_efficiency_pct"] =
      memory.requests ? nlohmann::ordered_json(percent(memory.bytes, kSectorBytes * memory.sectors))
                      : nullptr;
}

void put_counters(nlohmann::ordered_json& json, const std::string& prefix,
                  const SharedCounters& shared) {
  json[prefix + "_requests"] = shared.requests;
  json[prefix + "_wavefronts"] = shared.wavefronts;
  json[prefix + "_wavefronts_ideal"] = shared.wavefronts_ideal;
}

void put_counters(nlohmann::ordered_json& json, const BulkCounters& bulk) {
  if (bulk.copies == 0) return;
  json["bulk_copies"] = bulk.copies;
  json["bulk_bytes"] = bulk.bytes;
}

void put_active_lanes(nlohmann::ordered_json& json, const Counters& counters) {
  const auto warps = static_cast<double>(counters.warp_instructions);
  const auto lanes = static_cast<double>(counters.lane_instructions);
  json["active_lanes_avg"] = warps > 0 ? nlohmann::ordered_json(lanes / warps) : nullptr;
}

}  // namespace emu
