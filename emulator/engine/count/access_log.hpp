/// @file
/// Groups the accesses of a warp's lanes into requests, and adds up the costs of these.
///
/// The first lane to make an access writes a row (phase_rows.hpp). The next lanes are predicted to
/// access addresses at the same distances from the first lane's as in the last request of that
/// instruction (its *pattern*). A correct prediction costs two comparisons and no store. Requests
/// that follow their pattern are only counted; what they cost is computed once for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/counters.h"
#include "engine/count/access_observer.hpp"
#include "engine/count/phase_rows.hpp"
#include "engine/count/repeated_loads.hpp"
#include "engine/count/site.hpp"
#include "engine/count/spaces.hpp"
#include "engine/count/unsynced_reads.hpp"
#include "engine/count/warp_loads.hpp"
#include "engine/engine.hpp"

namespace emu {

class AccessLog {
 public:
  AccessLog() = default;
  AccessLog(const AccessLog&) = delete;  // its parts refer to each other
  AccessLog& operator=(const AccessLog&) = delete;

  /// Sets the range of addresses that is the block's shared memory.
  void set_shared_range(std::uintptr_t begin, std::size_t bytes) {
    spaces_.set_shared_range(begin, bytes);
  }
  bool is_shared(std::uintptr_t address) const { return spaces_.is_shared(address); }

  /// Sets the observers from the next block on. Null pointers are ignored.
  void set_observers(std::initializer_list<AccessObserver*> observers);

  /// Sets where repeated loads are detected from the next block on, the one numbered `block`. Null:
  /// they are not.
  void set_repeated_loads(RepeatedLoads* loads, std::uint64_t block) {
    repeated_loads_ = loads;
    block_number_ = block;
  }

  void set_windows(const SharedWindows* windows) { spaces_.set_windows(windows); }

  /// Sets where the block on the stage counts its warps' requests, and what they have loaded:
  /// [warp]. The second may be empty at first.
  void set_block(std::vector<RequestsBySpace>* requests, std::vector<WarpLoads>* loads) {
    requests_of_ = requests;
    loads_of_ = loads;
  }
  void end_block();

  /// Begins a phase of a warp, in which lane `first_lane` runs first.
  void begin_phase(unsigned warp, unsigned first_lane = 0);
  void begin_lane(unsigned lane) { rows_.begin_lane(lane); }
  void end_lane() { rows_.end_lane(); }
  /// Returns whether the running lane has made an access in this phase.
  bool lane_made_access() const { return rows_.lane_made_access(); }
  void end_phase();
  /// Returns the unsynchronised read found in the phase that has just ended, if there is one.
  /// Always empty if the launch has observers.
  std::optional<UnsyncedRead> take_unsynced_read() {
    return std::exchange(unsynced_read_, std::nullopt);
  }
  /// Notes that the running lane has made a fence, so that this phase is not warned of.
  void order() { unsynced_reads_.order(); }

  /// Records an access that was not predicted; the fast path is is_expected().
  void record(std::uintptr_t address, std::uintptr_t key, AccessKind kind, unsigned access_bytes) {
    if (address - hot.stack_begin < hot.stack_bytes) return;  // local memory is not counted
    // Not counted: whether a constant table lies in the program or on the stack is the compiler's
    // choice.
    if (kind == AccessKind::load && in_program_constants(reinterpret_cast<const void*>(address)))
      return;
    record({address, key, kind, access_bytes});
  }

  /// Returns the address of the instruction that was recorded last by record().
  const void* current_instruction() const {
    return reinterpret_cast<const void*>(program_counter_of(current_key_));
  }

  /// Notes that a lane of the running warp has waited for an asynchronous copy of its own. Its
  /// earlier accesses must be in phases that have ended.
  void end_late_copy(unsigned lane, std::uint64_t bytes);

  /// Counts a bulk copy into shared memory or out of it. No lane makes its accesses.
  void count_copy(std::uintptr_t key, std::uint64_t bytes, std::uint64_t sectors);
  void count_bulk_store(std::uintptr_t key, std::uint64_t bytes, std::uint64_t sectors);
  /// Counts a warp's product on a tensor core, and the bytes of shared memory that it reads.
  void count_product(std::uintptr_t key, std::uint64_t operations, std::uint64_t shared_bytes);

  /// Counts `warps` arrivals at a barrier of the block.
  void count_barrier(unsigned warps) { meetings_.barriers += warps; }
  /// Counts a shuffle, vote, match or reduction of a warp.
  void count_warp_function(bool is_reduction) {
    ++meetings_.warp_shuffles;
    meetings_.warp_reductions += is_reduction;
  }
  /// Counts one operation of a thread on an mbarrier.
  void count_mbarrier_operation() { ++meetings_.mbarrier_operations; }

  /// Adds the launch's counters to `total`, and those of each instruction to `sites`; then resets
  /// them.
  void take(Counters& total, std::vector<AccessSiteCounters>& sites);

 private:
  void record(const LaneAccess& access);
  void append(const LaneAccess& access);
  void record_off_path(const LaneAccess& access);
  void set_address(Row& row, const LaneAccess& access);
  bool may_go_unreported(const PredictedAccesses& predicted) const;
  void count_row(Row& row, std::uint32_t lanes);
  void count_for_warp(AccessSpace space) { ++(*phase_requests_)[static_cast<std::size_t>(space)]; }
  void learn(Row& row, std::uint32_t lanes);

  Spaces spaces_;
  PhaseRows rows_{spaces_};
  AccessSites sites_;
  std::vector<AccessObserver*> observers_;
  std::uintptr_t current_key_ = 0;
  std::vector<std::pair<Row*, std::uint32_t>> to_learn_;
  UnsyncedReads unsynced_reads_;
  std::optional<UnsyncedRead> unsynced_read_;
  RepeatedLoads* repeated_loads_ = nullptr;
  std::uint64_t block_number_ = 0;
  unsigned warp_ = 0;  // of the current phase
  // Counters of barriers and warp functions, which belong to no memory instruction.
  Counters meetings_;

  std::vector<RequestsBySpace>* requests_of_ = nullptr;
  std::vector<WarpLoads>* loads_of_ = nullptr;
  RequestsBySpace most_requests_{};  // per space, the most requests of any warp in the launch
  RequestsBySpace* phase_requests_ = nullptr;
};

}  // namespace emu
