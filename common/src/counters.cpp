#include "course/counters.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace course {
namespace {

constexpr double kPercent = 100.0;

/// Where a counter comes from.
struct Source {
  std::string_view name;
  bool is_whole;
  std::optional<double> (*value)(const Counters&);
};

template <auto Kind, auto Member>
std::optional<double> whole(const Counters& counters) {
  return static_cast<double>(counters.*Kind.*Member);
}

template <auto Kind>
std::optional<double> efficiency(const Counters& counters) {
  return (counters.*Kind).efficiency_pct();
}

using C = Counters;
using G = GlobalCounters;
using S = SharedCounters;
using B = BulkCounters;

/// In the order of the JSON report.
constexpr Source kSources[] = {
    {"global_load_requests", true, whole<&C::global_load, &G::requests>},
    {"global_load_sectors", true, whole<&C::global_load, &G::sectors>},
    {"global_load_lines", true, whole<&C::global_load, &G::lines>},
    {"global_load_bytes", true, whole<&C::global_load, &G::bytes>},
    {"global_load_efficiency_pct", false, efficiency<&C::global_load>},
    {"global_store_requests", true, whole<&C::global_store, &G::requests>},
    {"global_store_sectors", true, whole<&C::global_store, &G::sectors>},
    {"global_store_lines", true, whole<&C::global_store, &G::lines>},
    {"global_store_bytes", true, whole<&C::global_store, &G::bytes>},
    {"global_store_efficiency_pct", false, efficiency<&C::global_store>},
    {"global_atomic_requests", true, whole<&C::global_atomic, &G::requests>},
    {"global_atomic_sectors", true, whole<&C::global_atomic, &G::sectors>},
    {"global_atomic_lines", true, whole<&C::global_atomic, &G::lines>},
    {"global_atomic_bytes", true, whole<&C::global_atomic, &G::bytes>},
    {"shared_load_requests", true, whole<&C::shared_load, &S::requests>},
    {"shared_load_wavefronts", true, whole<&C::shared_load, &S::wavefronts>},
    {"shared_load_wavefronts_ideal", true, whole<&C::shared_load, &S::wavefronts_ideal>},
    {"shared_store_requests", true, whole<&C::shared_store, &S::requests>},
    {"shared_store_wavefronts", true, whole<&C::shared_store, &S::wavefronts>},
    {"shared_store_wavefronts_ideal", true, whole<&C::shared_store, &S::wavefronts_ideal>},
    {"shared_atomic_requests", true, whole<&C::shared_atomic, &S::requests>},
    {"shared_atomic_wavefronts", true, whole<&C::shared_atomic, &S::wavefronts>},
    {"shared_atomic_wavefronts_ideal", true, whole<&C::shared_atomic, &S::wavefronts_ideal>},
    {"active_lanes_avg", false,
     [](const Counters& counters) { return counters.active_lanes_avg(); }},
    {"bulk_copies", true, whole<&C::bulk, &B::copies>},
    {"bulk_bytes", true, whole<&C::bulk, &B::bytes>},
};

void add(GlobalCounters& to, const GlobalCounters& from) {
  to.requests += from.requests;
  to.sectors += from.sectors;
  to.lines += from.lines;
  to.bytes += from.bytes;
}

void add(SharedCounters& to, const SharedCounters& from) {
  to.requests += from.requests;
  to.wavefronts += from.wavefronts;
  to.wavefronts_ideal += from.wavefronts_ideal;
}

const Source* find(std::string_view name) {
  const auto* found = std::ranges::find(kSources, name, &Source::name);
  return found == std::end(kSources) ? nullptr : found;
}

}  // namespace

std::optional<double> GlobalCounters::efficiency_pct() const {
  if (sectors == 0) return std::nullopt;
  return kPercent * static_cast<double>(bytes) /
         (static_cast<double>(kSectorBytes) * static_cast<double>(sectors));
}

std::optional<double> GlobalCounters::line_efficiency_pct() const {
  if (lines == 0) return std::nullopt;
  return kPercent * static_cast<double>(bytes) /
         (static_cast<double>(kLineBytes) * static_cast<double>(lines));
}

std::optional<double> Counters::active_lanes_avg() const {
  if (warp_instructions == 0) return std::nullopt;
  return static_cast<double>(lane_instructions) / static_cast<double>(warp_instructions);
}

Counters& Counters::operator+=(const Counters& other) {
  add(global_load, other.global_load);
  add(global_store, other.global_store);
  add(global_atomic, other.global_atomic);
  add(shared_load, other.shared_load);
  add(shared_store, other.shared_store);
  add(shared_atomic, other.shared_atomic);
  bulk.copies += other.bulk.copies;
  bulk.bytes += other.bulk.bytes;
  warp_instructions += other.warp_instructions;
  lane_instructions += other.lane_instructions;
  return *this;
}

std::vector<NamedCounter> named_counters(const Counters& counters) {
  std::vector<NamedCounter> named;
  for (const Source& source : kSources) {
    if (source.name.starts_with("bulk_") && counters.bulk.copies == 0) continue;
    named.push_back(
        {.name = source.name, .value = source.value(counters), .is_whole = source.is_whole});
  }
  return named;
}

std::optional<double> counter(const Counters& counters, std::string_view name) {
  const Source* source = find(name);
  if (source == nullptr) throw std::out_of_range("there is no counter " + std::string(name));
  return source->value(counters);
}

bool is_counter(std::string_view name) { return find(name) != nullptr; }

}  // namespace course
