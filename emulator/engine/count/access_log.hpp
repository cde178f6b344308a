/// @file
/// Groups the accesses of a warp's lanes into warp-level instructions and adds up what they cost.
///
/// The first lane to make an access writes a row (phase_rows.hpp). The lanes after it are expected
/// at addresses that differ from the first lane's as they did the time before (a *pattern*); then
/// an access costs two comparisons and no store, and the request counts once for all that were
/// alike.
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
#include "engine/engine.hpp"

namespace emu {

class AccessLog {
 public:
  AccessLog() = default;
  AccessLog(const AccessLog&) = delete;  // its parts know one another
  AccessLog& operator=(const AccessLog&) = delete;

  /// Accesses in these bytes are the block's shared memory.
  void set_shared_range(std::uintptr_t begin, std::size_t bytes) {
    spaces_.set_shared_range(begin, bytes);
  }
  bool is_shared(std::uintptr_t address) const { return spaces_.is_shared(address); }

  /// From the next block on; a null pointer observes nothing.
  void set_observers(std::initializer_list<AccessObserver*> observers);

  /// From the next block on, loads are looked at for those that a compiler may leave out; of the
  /// block with this number. Null: they are not.
  void set_repeated_loads(RepeatedLoads* loads, std::uint64_t block) {
    repeated_loads_ = loads;
    block_number_ = block;
  }

  void set_windows(const SharedWindows* windows) { spaces_.set_windows(windows); }

  /// The block on the stage counts its warps' requests here: [warp].
  void set_block(std::vector<RequestsBySpace>* requests) { requests_of_ = requests; }
  void end_block();

  /// Lanes of a warp begin to run, `first_lane` first.
  void begin_phase(unsigned warp, unsigned first_lane = 0);
  void begin_lane(unsigned lane) { rows_.begin_lane(lane); }
  void end_lane() { rows_.end_lane(); }
  /// Whether the running lane has made an access in this phase.
  bool lane_made_access() const { return rows_.lane_made_access(); }
  void end_phase();
  /// What the phase that has just ended is to be warned of; where somebody observes, nothing.
  std::optional<UnsyncedRead> take_unsynced_read() {
    return std::exchange(unsynced_read_, std::nullopt);
  }
  /// The running lane orders what it does.
  void order() { unsynced_reads_.order(); }

  /// The slow path of an access: everything but "the same as the lane before".
  void record(std::uintptr_t address, std::uintptr_t key, AccessKind kind, unsigned access_bytes) {
    if (address - hot.stack_begin < hot.stack_bytes) return;  // local memory
    // Whether a constant table lies in the program or on the stack is the compiler's choice.
    if (kind == AccessKind::load && in_program_constants(reinterpret_cast<const void*>(address)))
      return;
    record({address, key, kind, access_bytes});
  }

  /// The instruction whose access was recorded last on the slow path.
  const void* current_instruction() const {
    return reinterpret_cast<const void*>(program_counter_of(current_key_));
  }

  /// Counts a bulk copy into shared memory, or out of it, which is no access of a lane.
  void count_copy(std::uintptr_t key, std::uint64_t bytes, std::uint64_t sectors);
  void count_bulk_store(std::uintptr_t key, std::uint64_t bytes, std::uint64_t sectors);
  /// Counts a warp's product of a tensor core, and what that reads of shared memory.
  void count_product(std::uintptr_t key, std::uint64_t operations, std::uint64_t shared_bytes);

  /// Counts `warps` arrivals at a barrier of the block.
  void count_barrier(unsigned warps) { meetings_.barriers += warps; }
  /// Counts a shuffle, vote, match or reduction of a warp.
  void count_warp_function(bool is_reduction) {
    ++meetings_.warp_shuffles;
    meetings_.warp_reductions += is_reduction;
  }
  /// Counts what a thread does to an mbarrier.
  void count_mbarrier_operation() { ++meetings_.mbarrier_operations; }

  /// Adds the launch's counters to `total` and, per site, to `sites`; starts from zero again.
  void take(Counters& total, std::vector<SiteCounters>& sites);

 private:
  void record(const LaneAccess& access);
  void append(const LaneAccess& access);
  void record_apart(const LaneAccess& access);
  void place(Row& row, const LaneAccess& access);
  bool may_pass_unseen(const Foretold& foretold) const;
  void count_row(Row& row, std::uint32_t lanes);
  void count_for_warp(AccessSpace space) { ++(*phase_requests_)[static_cast<std::size_t>(space)]; }
  void learn(Row& row, std::uint32_t lanes);

  Spaces spaces_;
  PhaseRows rows_{spaces_};
  Sites sites_;
  std::vector<AccessObserver*> observers_;
  std::uintptr_t current_key_ = 0;
  std::vector<std::pair<Row*, std::uint32_t>> to_learn_;
  UnsyncedReads unsynced_reads_;
  std::optional<UnsyncedRead> unsynced_read_;
  RepeatedLoads* repeated_loads_ = nullptr;
  std::uint64_t block_number_ = 0;
  unsigned warp_ = 0;  // of the phase
  Counters meetings_;  // of lanes: they belong to no site

  std::vector<RequestsBySpace>* requests_of_ = nullptr;
  RequestsBySpace most_requests_{};  // of any warp of the launch
  RequestsBySpace* phase_requests_ = nullptr;
};

}  // namespace emu
