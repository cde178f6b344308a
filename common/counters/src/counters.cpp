#include "course/counters.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "course/counter_table.hpp"

namespace course {
namespace {

constexpr double kPercent = 100.0;

using C = Counters;
using G = GlobalCounters;
using S = SharedCounters;
using D = DistributedCounters;
using K = ConstantCounters;
using B = BulkCounters;
using T = TensorCounters;
using I = IdealSectors;
using W = BusiestWarp;
using enum CounterShown;

bool occurred(const GlobalCounters& kind) { return kind.requests != 0; }
bool occurred(const SharedCounters& kind) { return kind.requests != 0; }
bool occurred(const DistributedCounters& kind) { return kind.requests != 0; }
bool occurred(const ConstantCounters& kind) { return kind.requests != 0; }
bool occurred(const BulkCounters& kind) { return kind.copies != 0; }
bool occurred(const TensorCounters& kind) { return kind.instructions != 0; }

/// Describes a field of one kind of access.
template <auto Kind, auto Member>
constexpr CounterDescription count(std::string_view name, CounterShown shown,
                                   std::string_view access, std::string_view column,
                                   std::string_view meaning) {
  return {name,
          CounterUnit::count,
          shown,
          access,
          column,
          meaning,
          [](const Counters& c) { return std::optional(static_cast<double>(c.*Kind.*Member)); },
          [](Counters& c) -> std::uint64_t& { return c.*Kind.*Member; },
          [](const Counters& c) { return occurred(c.*Kind); }};
}

/// Describes a field that not every access of its kind counts; left out if it is zero.
template <auto Kind, auto Member>
constexpr CounterDescription count_of_some(std::string_view name, CounterShown shown,
                                           std::string_view access, std::string_view column,
                                           std::string_view meaning) {
  CounterDescription description = count<Kind, Member>(name, shown, access, column, meaning);
  description.is_used = [](const Counters& c) { return c.*Kind.*Member != 0; };
  return description;
}

template <auto Kind>
constexpr CounterDescription efficiency(std::string_view name, CounterShown shown,
                                        std::string_view access, std::string_view meaning) {
  return {name,
          CounterUnit::percent,
          shown,
          access,
          "efficiency",
          meaning,
          [](const Counters& c) { return (c.*Kind).efficiency_pct(); },
          nullptr,
          [](const Counters& c) { return occurred(c.*Kind); }};
}

template <auto Kind, auto Member>
constexpr CounterDescription ideal(std::string_view name) {
  return {
      name,
      CounterUnit::count,
      profile,
      "",
      "",
      "Sectors that the bytes of each request fill, rounded up.",
      [](const Counters& c) { return std::optional(static_cast<double>(c.sectors_ideal.*Member)); },
      [](Counters& c) -> std::uint64_t& { return c.sectors_ideal.*Member; },
      [](const Counters& c) { return occurred(c.*Kind); }};
}

/// Describes a field that belongs to no kind of access.
template <auto Member>
constexpr CounterDescription count(std::string_view name, CounterShown shown,
                                   std::string_view meaning) {
  return {name,
          CounterUnit::count,
          shown,
          "",
          "",
          meaning,
          [](const Counters& c) { return std::optional(static_cast<double>(c.*Member)); },
          [](Counters& c) -> std::uint64_t& { return c.*Member; },
          [](const Counters&) { return true; }};
}

/// Describes a count of barriers or warp functions, which access no memory.
template <auto Member>
constexpr CounterDescription meeting(std::string_view name, std::string_view where,
                                     std::string_view meaning, std::string_view column = "warps") {
  return {name,
          CounterUnit::count,
          nowhere,
          where,
          column,
          meaning,
          [](const Counters& c) { return std::optional(static_cast<double>(c.*Member)); },
          [](Counters& c) -> std::uint64_t& { return c.*Member; },
          [](const Counters& c) { return c.*Member != 0; }};
}

/// Describes a figure of the busiest warp.
template <auto Member>
constexpr CounterDescription busiest(std::string_view name, std::string_view column,
                                     std::string_view meaning) {
  return {
      name,
      CounterUnit::count,
      nowhere,
      "busiest warp",
      column,
      meaning,
      [](const Counters& c) { return std::optional(static_cast<double>(c.busiest_warp.*Member)); },
      [](Counters& c) -> std::uint64_t& { return c.busiest_warp.*Member; },
      [](const Counters& c) { return c.busiest_warp != BusiestWarp(); }};
}

/// One row per counter, in the order of the JSON reports.
constexpr CounterDescription kTable[] = {
    count<&C::global_load, &G::requests>("global_load_requests", always, "global load", "requests",
                                         "Warp-level loads from global memory."),
    count<&C::global_load, &G::sectors>("global_load_sectors", always, "global load", "sectors",
                                        "32-byte sectors that they touched."),
    count<&C::global_load, &G::lines>("global_load_lines", always, "global load", "lines",
                                      "128-byte lines that they touched."),
    count<&C::global_load, &G::bytes>("global_load_bytes", always, "global load", "",
                                      "Bytes asked for, each once per request."),
    efficiency<&C::global_load>("global_load_efficiency_pct", always, "global load",
                                "100 x bytes / (32 x sectors)."),
    count<&C::global_store, &G::requests>("global_store_requests", always, "global store",
                                          "requests", "Warp-level stores to global memory."),
    count<&C::global_store, &G::sectors>("global_store_sectors", always, "global store", "sectors",
                                         "32-byte sectors that they touched."),
    count<&C::global_store, &G::lines>("global_store_lines", always, "global store", "lines",
                                       "128-byte lines that they touched."),
    count<&C::global_store, &G::bytes>("global_store_bytes", always, "global store", "",
                                       "Bytes asked for, each once per request."),
    efficiency<&C::global_store>("global_store_efficiency_pct", always, "global store",
                                 "100 x bytes / (32 x sectors)."),
    count<&C::global_atomic, &G::requests>("global_atomic_requests", always, "global atomic",
                                           "requests",
                                           "Warp-level atomic operations on global memory."),
    count<&C::global_atomic, &G::sectors>(
        "global_atomic_sectors", always, "global atomic", "sectors",
        "32-byte sectors that they touched, each as often as its busiest word."),
    count<&C::global_atomic, &G::lines>("global_atomic_lines", always, "global atomic", "lines",
                                        "128-byte lines that they touched."),
    count<&C::global_atomic, &G::bytes>("global_atomic_bytes", always, "global atomic", "",
                                        "Bytes asked for, each once per request."),
    efficiency<&C::global_atomic>("global_atomic_efficiency_pct", nowhere, "global atomic",
                                  "100 x bytes / (32 x sectors)."),
    count<&C::shared_load, &S::requests>("shared_load_requests", always, "shared load", "requests",
                                         "Warp-level loads from shared memory."),
    count<&C::shared_load, &S::wavefronts>("shared_load_wavefronts", always, "shared load",
                                           "wavefronts",
                                           "Passes through the banks that they took."),
    count<&C::shared_load, &S::wavefronts_ideal>(
        "shared_load_wavefronts_ideal", always, "shared load", "ideal",
        "Passes that they would take without bank conflicts."),
    efficiency<&C::shared_load>("shared_load_efficiency_pct", nowhere, "shared load",
                                "100 x ideal wavefronts / wavefronts."),
    count<&C::shared_store, &S::requests>("shared_store_requests", always, "shared store",
                                          "requests", "Warp-level stores to shared memory."),
    count<&C::shared_store, &S::wavefronts>("shared_store_wavefronts", always, "shared store",
                                            "wavefronts",
                                            "Passes through the banks that they took."),
    count<&C::shared_store, &S::wavefronts_ideal>(
        "shared_store_wavefronts_ideal", always, "shared store", "ideal",
        "Passes that they would take without bank conflicts."),
    efficiency<&C::shared_store>("shared_store_efficiency_pct", nowhere, "shared store",
                                 "100 x ideal wavefronts / wavefronts."),
    count<&C::shared_atomic, &S::requests>("shared_atomic_requests", always, "shared atomic",
                                           "requests",
                                           "Warp-level atomic operations on shared memory."),
    count<&C::shared_atomic, &S::wavefronts>("shared_atomic_wavefronts", always, "shared atomic",
                                             "wavefronts",
                                             "Passes through the banks that they took."),
    count<&C::shared_atomic, &S::wavefronts_ideal>(
        "shared_atomic_wavefronts_ideal", always, "shared atomic", "ideal",
        "Passes that they would take without bank conflicts."),
    efficiency<&C::shared_atomic>("shared_atomic_efficiency_pct", nowhere, "shared atomic",
                                  "100 x ideal wavefronts / wavefronts."),
    count<&C::dshared_load, &D::requests>(
        "dshared_load_requests", where_used, "dshared load", "requests",
        "Warp-level loads from the shared memory of other blocks of the cluster."),
    count<&C::dshared_load, &D::sectors>("dshared_load_sectors", where_used, "dshared load",
                                         "sectors", "32-byte sectors that they touched."),
    count<&C::dshared_load, &D::sectors_ideal>(
        "dshared_load_sectors_ideal", profile, "dshared load", "",
        "Sectors that the bytes of each request fill, rounded up."),
    efficiency<&C::dshared_load>("dshared_load_efficiency_pct", nowhere, "dshared load",
                                 "100 x ideal sectors / sectors."),
    count<&C::dshared_store, &D::requests>(
        "dshared_store_requests", where_used, "dshared store", "requests",
        "Warp-level stores to the shared memory of other blocks of the cluster."),
    count<&C::dshared_store, &D::sectors>("dshared_store_sectors", where_used, "dshared store",
                                          "sectors", "32-byte sectors that they touched."),
    count<&C::dshared_store, &D::sectors_ideal>(
        "dshared_store_sectors_ideal", profile, "dshared store", "",
        "Sectors that the bytes of each request fill, rounded up."),
    efficiency<&C::dshared_store>("dshared_store_efficiency_pct", nowhere, "dshared store",
                                  "100 x ideal sectors / sectors."),
    count<&C::dshared_atomic, &D::requests>(
        "dshared_atomic_requests", where_used, "dshared atomic", "requests",
        "Warp-level atomic operations on the shared memory of other blocks of the cluster."),
    count<&C::dshared_atomic, &D::sectors>(
        "dshared_atomic_sectors", where_used, "dshared atomic", "sectors",
        "32-byte sectors that they touched, each as often as its busiest word."),
    count<&C::dshared_atomic, &D::sectors_ideal>(
        "dshared_atomic_sectors_ideal", profile, "dshared atomic", "",
        "Sectors that the bytes of each request fill, rounded up."),
    efficiency<&C::dshared_atomic>("dshared_atomic_efficiency_pct", nowhere, "dshared atomic",
                                   "100 x ideal sectors / sectors."),
    count<&C::constant_load, &K::requests>("constant_load_requests", where_used, "constant load",
                                           "requests", "Warp-level loads from constant memory."),
    count<&C::constant_load, &K::addresses>(
        "constant_load_addresses", where_used, "constant load", "addresses",
        "Distinct addresses of each of them, which the constant caches serve one after the other; "
        "Nsight Compute's idc__requests, which counts kernel parameters as well."),
    efficiency<&C::constant_load>("constant_load_efficiency_pct", nowhere, "constant load",
                                  "100 x requests / addresses."),
    {"active_lanes_avg", CounterUnit::lanes, always, "", "",
     "Lanes that took part in a warp-level memory instruction, on average.",
     [](const Counters& c) { return c.active_lanes_avg(); }, nullptr,
     [](const Counters&) { return true; }},
    count<&C::bulk, &B::copies>("bulk_copies", where_used, "bulk copy", "copies",
                                "Bulk copies into shared memory that were asked for."),
    count<&C::bulk, &B::bytes>(
        "bulk_bytes", where_used, "bulk copy", "bytes",
        "Bytes that they delivered, the zeros for what lies outside included."),
    count<&C::bulk, &B::sectors>(
        "bulk_sectors", nowhere,
        "bulk copy", "sectors",
        "32-byte sectors of global memory that they touched, each once per row of a box."),
    count<&C::bulk_store, &B::copies>("bulk_stores", where_used, "bulk store", "copies",
                                      "Bulk copies out of shared memory that were asked for."),
    count<&C::bulk_store, &B::bytes>(
        "bulk_store_bytes", where_used, "bulk store", "bytes",
        "Bytes of their boxes, those that lie outside of the tensor included."),
    count<&C::bulk_store, &B::sectors>(
        "bulk_store_sectors", where_used, "bulk store", "sectors",
        "32-byte sectors of global memory that they touched, each once per row of a box."),
    count<&C::tensor, &T::instructions>(
        "tensor_instructions", where_used, "tensor core", "warps",
        "Products of tensor cores as they are written, once a warp: mma.sync, wmma and wgmma. "
        "Nsight Compute counts machine instructions: sm__inst_executed_pipe_tensor_op_hmma, "
        "..._op_imma and ..._op_gmma."),
    count<&C::tensor, &T::operations>("tensor_operations", where_used, "tensor core", "operations",
                                      "Their multiplications and additions, 2 m n k each; Nsight "
                                      "Compute's sm__ops_path_tensor_*."),
    count_of_some<&C::tensor, &T::shared_bytes>(
        "tensor_shared_bytes", where_used, "tensor core", "shared bytes",
        "Bytes of shared memory that wgmma reads through descriptors: A in every warp, B once for "
        "the four warps that share it."),
    count_of_some<&C::tensor, &T::shared_wavefronts>(
        "tensor_shared_wavefronts", where_used, "tensor core", "wavefronts",
        "Passes through the banks for them: 8 rows of 16 bytes at a time."),
    ideal<&C::global_load, &I::global_load>("global_load_sectors_ideal"),
    ideal<&C::global_store, &I::global_store>("global_store_sectors_ideal"),
    ideal<&C::global_atomic, &I::global_atomic>("global_atomic_sectors_ideal"),
    count<&C::warp_instructions>("warp_instructions", profile,
                                 "Memory instructions, once a warp; constant memory included."),
    count<&C::lane_instructions>("lane_instructions", profile,
                                 "The same, once for each lane that took part."),
    meeting<&C::barriers>(
        "barriers", "barrier",
        "Barriers of a block, once for each warp that arrives; Nsight Compute knows only how long "
        "warps are stalled there (smsp__average_warps_issue_stalled_barrier)."),
    meeting<&C::warp_shuffles>(
        "warp_shuffles", "warp function",
        "Shuffles, votes, matches and reductions, once a warp; Nsight Compute counts threads "
        "(smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on)."),
    meeting<&C::warp_reductions>(
        "warp_reductions", "warp reduction",
        "Those of them that are reductions: one adds up a warp, as five shuffles do."),
    meeting<&C::mbarrier_operations>(
        "mbarrier_operations", "mbarrier",
        "What changes an mbarrier: init, arrive, expect_tx, once a thread. Waiting is not counted.",
        "threads"),
    busiest<&W::global>(
        "busiest_warp_global_requests", "global",
        "Requests to global memory that the busiest warp of a launch made: where they are more "
        "than the average, others wait for it."),
    busiest<&W::shared>("busiest_warp_shared_requests", "shared",
                        "The same for shared memory; it may be another warp."),
    count<&C::uneven_global_loads>(
        "global_load_uneven", nowhere,
        "Global loads whose lanes' addresses do not all lie at one distance from lane to lane."),
    {"global_load_repeated", CounterUnit::count, profile, "", "",
     "Global loads that a compiler may leave out: the same lanes have loaded the same bytes "
     "before, "
     "and nothing has written there since.",
     [](const Counters& c) { return std::optional(static_cast<double>(c.repeated_global_loads)); },
     [](Counters& c) -> std::uint64_t& { return c.repeated_global_loads; },
     [](const Counters& c) { return c.repeated_global_loads != 0; }},
};

constexpr std::size_t kFields = std::ranges::count_if(
    kTable, [](const CounterDescription& one) { return one.field != nullptr; });
static_assert(sizeof(Counters) == kFields * sizeof(std::uint64_t),
              "every field of Counters has a line in the table");

const CounterDescription* find(std::string_view name) {
  const auto* found = std::ranges::find(kTable, name, &CounterDescription::name);
  return found == std::end(kTable) ? nullptr : found;
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

std::optional<double> DistributedCounters::efficiency_pct() const {
  if (sectors == 0) return std::nullopt;
  return kPercent * static_cast<double>(sectors_ideal) / static_cast<double>(sectors);
}

std::optional<double> ConstantCounters::efficiency_pct() const {
  if (addresses == 0) return std::nullopt;
  return kPercent * static_cast<double>(requests) / static_cast<double>(addresses);
}

std::optional<double> Counters::active_lanes_avg() const {
  if (warp_instructions == 0) return std::nullopt;
  return static_cast<double>(lane_instructions) / static_cast<double>(warp_instructions);
}

bool GlobalCounters::operator==(const GlobalCounters&) const = default;
bool SharedCounters::operator==(const SharedCounters&) const = default;
bool DistributedCounters::operator==(const DistributedCounters&) const = default;
bool ConstantCounters::operator==(const ConstantCounters&) const = default;
bool BulkCounters::operator==(const BulkCounters&) const = default;
bool TensorCounters::operator==(const TensorCounters&) const = default;
bool IdealSectors::operator==(const IdealSectors&) const = default;
bool BusiestWarp::operator==(const BusiestWarp&) const = default;
bool Counters::operator==(const Counters&) const = default;

Counters& Counters::operator+=(const Counters& other) {
  Counters from = other;
  for (const CounterDescription& one : kTable)
    if (one.field) one.field(*this) += one.field(from);
  return *this;
}

Counters& Counters::operator-=(const Counters& other) {
  Counters from = other;
  for (const CounterDescription& one : kTable)
    if (one.field) one.field(*this) -= one.field(from);
  return *this;
}

CounterTable counter_table() { return {std::begin(kTable), std::end(kTable)}; }

std::optional<double> counter(const Counters& counters, std::string_view name) {
  const CounterDescription* one = find(name);
  if (one == nullptr) throw std::out_of_range("there is no counter " + std::string(name));
  return one->value(counters);
}

bool is_counter(std::string_view name) { return find(name) != nullptr; }

}  // namespace course
