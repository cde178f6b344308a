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
  bool (*is_used)(const Counters&);
};

bool occurred(const GlobalCounters& kind) { return kind.requests != 0; }
bool occurred(const SharedCounters& kind) { return kind.requests != 0; }
bool occurred(const BulkCounters& kind) { return kind.copies != 0; }

template <auto Kind, auto Member>
constexpr Source whole(std::string_view name) {
  return {name, true,
          [](const Counters& c) { return std::optional(static_cast<double>(c.*Kind.*Member)); },
          [](const Counters& c) { return occurred(c.*Kind); }};
}

template <auto Kind>
constexpr Source efficiency(std::string_view name) {
  return {name, false, [](const Counters& c) { return (c.*Kind).efficiency_pct(); },
          [](const Counters& c) { return occurred(c.*Kind); }};
}

using C = Counters;
using G = GlobalCounters;
using S = SharedCounters;
using B = BulkCounters;

/// In the order of the JSON report.
constexpr Source kSources[] = {
    whole<&C::global_load, &G::requests>("global_load_requests"),
    whole<&C::global_load, &G::sectors>("global_load_sectors"),
    whole<&C::global_load, &G::lines>("global_load_lines"),
    whole<&C::global_load, &G::bytes>("global_load_bytes"),
    efficiency<&C::global_load>("global_load_efficiency_pct"),
    whole<&C::global_store, &G::requests>("global_store_requests"),
    whole<&C::global_store, &G::sectors>("global_store_sectors"),
    whole<&C::global_store, &G::lines>("global_store_lines"),
    whole<&C::global_store, &G::bytes>("global_store_bytes"),
    efficiency<&C::global_store>("global_store_efficiency_pct"),
    whole<&C::global_atomic, &G::requests>("global_atomic_requests"),
    whole<&C::global_atomic, &G::sectors>("global_atomic_sectors"),
    whole<&C::global_atomic, &G::lines>("global_atomic_lines"),
    whole<&C::global_atomic, &G::bytes>("global_atomic_bytes"),
    whole<&C::shared_load, &S::requests>("shared_load_requests"),
    whole<&C::shared_load, &S::wavefronts>("shared_load_wavefronts"),
    whole<&C::shared_load, &S::wavefronts_ideal>("shared_load_wavefronts_ideal"),
    whole<&C::shared_store, &S::requests>("shared_store_requests"),
    whole<&C::shared_store, &S::wavefronts>("shared_store_wavefronts"),
    whole<&C::shared_store, &S::wavefronts_ideal>("shared_store_wavefronts_ideal"),
    whole<&C::shared_atomic, &S::requests>("shared_atomic_requests"),
    whole<&C::shared_atomic, &S::wavefronts>("shared_atomic_wavefronts"),
    whole<&C::shared_atomic, &S::wavefronts_ideal>("shared_atomic_wavefronts_ideal"),
    {"active_lanes_avg", false, [](const Counters& c) { return c.active_lanes_avg(); },
     [](const Counters&) { return true; }},
    whole<&C::bulk, &B::copies>("bulk_copies"),
    whole<&C::bulk, &B::bytes>("bulk_bytes"),
};

/// Changes each count of `to` by that of `from`.
template <class Change>
void for_each(Counters& to, const Counters& from, Change change) {
  for (const auto kind : {&C::global_load, &C::global_store, &C::global_atomic})
    for (const auto count : {&G::requests, &G::sectors, &G::lines, &G::bytes})
      change(to.*kind.*count, from.*kind.*count);
  for (const auto kind : {&C::shared_load, &C::shared_store, &C::shared_atomic})
    for (const auto count : {&S::requests, &S::wavefronts, &S::wavefronts_ideal})
      change(to.*kind.*count, from.*kind.*count);
  for (const auto count : {&B::copies, &B::bytes}) change(to.bulk.*count, from.bulk.*count);
  for (const auto count : {&C::warp_instructions, &C::lane_instructions})
    change(to.*count, from.*count);
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

std::optional<double> SharedCounters::efficiency_pct() const {
  if (wavefronts == 0) return std::nullopt;
  return kPercent * static_cast<double>(wavefronts_ideal) / static_cast<double>(wavefronts);
}

std::optional<double> Counters::active_lanes_avg() const {
  if (warp_instructions == 0) return std::nullopt;
  return static_cast<double>(lane_instructions) / static_cast<double>(warp_instructions);
}

bool GlobalCounters::operator==(const GlobalCounters&) const = default;
bool SharedCounters::operator==(const SharedCounters&) const = default;
bool BulkCounters::operator==(const BulkCounters&) const = default;
bool Counters::operator==(const Counters&) const = default;

Counters& Counters::operator+=(const Counters& other) {
  for_each(*this, other, [](std::uint64_t& to, std::uint64_t from) { to += from; });
  return *this;
}

Counters& Counters::operator-=(const Counters& other) {
  for_each(*this, other, [](std::uint64_t& to, std::uint64_t from) { to -= from; });
  return *this;
}

std::vector<NamedCounter> named_counters(const Counters& counters) {
  std::vector<NamedCounter> named;
  for (const Source& source : kSources) {
    if (source.name.starts_with("bulk_") && !occurred(counters.bulk)) continue;
    named.push_back({.name = source.name,
                     .value = source.value(counters),
                     .is_whole = source.is_whole,
                     .is_used = source.is_used(counters)});
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
