#pragma once

/// @file
/// What a kernel's memory instructions cost, counted as Nsight Compute counts it. C++17, as
/// programs of ./course nvcc may include it.

#include <cstdint>
#include <optional>
#include <string_view>

namespace course {

inline constexpr int kWarpSize = 32;     ///< lanes that make a request together
inline constexpr int kSectorBytes = 32;  ///< the least that a cache moves
inline constexpr int kLineBytes = 128;   ///< a cache line: four sectors with one tag

/// One kind of access to global memory.
struct GlobalCounters {
  std::uint64_t requests = 0;  ///< warp-level instructions
  std::uint64_t sectors = 0;   ///< 32-byte sectors that they touched
  std::uint64_t lines = 0;     ///< 128-byte lines that they touched
  std::uint64_t bytes = 0;     ///< bytes asked for, each once per request

  /// 100 x bytes / (32 x sectors); nothing if no sector was touched.
  std::optional<double> efficiency_pct() const;
  /// The efficiency if whole lines were moved: 100 x bytes / (128 x lines).
  std::optional<double> line_efficiency_pct() const;

  bool operator==(const GlobalCounters&) const;
};

/// One kind of access to the block's shared memory.
struct SharedCounters {
  std::uint64_t requests = 0;          ///< warp-level instructions
  std::uint64_t wavefronts = 0;        ///< passes through the banks that they took
  std::uint64_t wavefronts_ideal = 0;  ///< passes that they would take without bank conflicts

  /// 100 x ideal / wavefronts; nothing if there was no wavefront.
  std::optional<double> efficiency_pct() const;

  bool operator==(const SharedCounters&) const;
};

/// One kind of access to the shared memory of other blocks of the cluster: *distributed* shared
/// memory. The block's own is shared memory, whatever the address.
struct DistributedCounters {
  std::uint64_t requests = 0;       ///< warp-level instructions
  std::uint64_t sectors = 0;        ///< 32-byte sectors that they touched
  std::uint64_t sectors_ideal = 0;  ///< sectors that the bytes of each request fill, rounded up

  /// 100 x ideal / sectors; nothing if no sector was touched.
  std::optional<double> efficiency_pct() const;

  bool operator==(const DistributedCounters&) const;
};

/// Loads of constant memory, whose caches serve one address after the other.
struct ConstantCounters {
  std::uint64_t requests = 0;   ///< warp-level instructions
  std::uint64_t addresses = 0;  ///< distinct addresses of each request

  /// 100 x requests / addresses; nothing if there was no request.
  std::optional<double> efficiency_pct() const;

  bool operator==(const ConstantCounters&) const;
};

/// Bulk copies into shared memory or out of it, which the copy engine makes, not the lanes.
struct BulkCounters {
  std::uint64_t copies = 0;   ///< asked for; a multicast copy counts in every block that it goes to
  std::uint64_t bytes = 0;    ///< bytes of the boxes, including what lies outside the tensor
  std::uint64_t sectors = 0;  ///< of global memory that they touched, each once per row of a box;
                              ///< once for all blocks of a multicast copy

  bool operator==(const BulkCounters&) const;
};

/// Products of tensor cores.
struct TensorCounters {
  std::uint64_t instructions = 0;  ///< per warp: mma.sync, wmma, and a warp's part of wgmma
  std::uint64_t operations = 0;    ///< multiplications and additions
  /// Bytes that wgmma reads through descriptors: A in every warp, B once for the four warps of a
  /// group.
  std::uint64_t shared_bytes = 0;
  std::uint64_t shared_wavefronts = 0;  ///< wavefronts of these reads: 8 rows of 16 bytes at a time

  bool operator==(const TensorCounters&) const;
};

/// The fewest sectors that could hold the bytes of each request, rounded up.
struct IdealSectors {
  std::uint64_t global_load = 0;
  std::uint64_t global_store = 0;
  std::uint64_t global_atomic = 0;

  bool operator==(const IdealSectors&) const;
};

/// How evenly the work is distributed: the requests of the warp that made most of them in its
/// launch. Sums add the figures of the launches.
struct BusiestWarp {
  std::uint64_t global = 0;  ///< loads, stores and atomics of global memory
  std::uint64_t shared = 0;  ///< the same for shared memory; may be another warp

  bool operator==(const BusiestWarp&) const;
};

/// All counters, of launches or of one instruction. Every field has a line in the table of
/// counters.cpp.
struct Counters {
  GlobalCounters global_load;
  GlobalCounters global_store;
  GlobalCounters global_atomic;
  SharedCounters shared_load;
  SharedCounters shared_store;
  SharedCounters shared_atomic;
  DistributedCounters dshared_load;
  DistributedCounters dshared_store;
  DistributedCounters dshared_atomic;
  ConstantCounters constant_load;
  BulkCounters bulk;        ///< into shared memory
  BulkCounters bulk_store;  ///< out of it
  TensorCounters tensor;
  IdealSectors sectors_ideal;
  std::uint64_t warp_instructions = 0;    ///< counted memory instructions, per warp
  std::uint64_t lane_instructions = 0;    ///< the same, per lane that took part
  std::uint64_t barriers = 0;             ///< arrivals of warps at barriers of their block
  std::uint64_t warp_shuffles = 0;        ///< shuffles, votes, matches and reductions, per warp
  std::uint64_t warp_reductions = 0;      ///< number of warp_shuffles that are reductions
  std::uint64_t mbarrier_operations = 0;  ///< operations that change an mbarrier, per thread
  BusiestWarp busiest_warp;
  std::uint64_t uneven_global_loads = 0;  ///< loads whose lanes are not evenly spaced
  /// Loads of bytes that the same lanes have loaded before, with no write there since; counted for
  /// profiles.
  std::uint64_t repeated_global_loads = 0;

  /// Average number of lanes per warp-level instruction; nothing if there was none.
  std::optional<double> active_lanes_avg() const;

  Counters& operator+=(const Counters& other);
  Counters& operator-=(const Counters& other);
  bool operator==(const Counters&) const;
};

/// Returns a counter by its JSON name; throws std::out_of_range if there is no such counter.
std::optional<double> counter(const Counters& counters, std::string_view name);

/// Returns whether `name` is the JSON name of a counter.
bool is_counter(std::string_view name);

}  // namespace course
