/// @file
/// The hazard checks of one launch at a time, and the calls by which the engine informs them.
///
/// Blocks run in turn, or on several workers with a checker each (attempt.hpp). Whether an access
/// is valid is checked before it is made. Whether it reads initialised memory and is ordered is
/// checked when its phase ends, one request of a warp at a time.
#pragma once

#include <bit>
#include <memory>
#include <vector>

#include "engine/check/check_context.hpp"
#include "engine/check/check_init.hpp"
#include "engine/check/check_memory.hpp"
#include "engine/check/check_race.hpp"
#include "engine/check/check_sync.hpp"
#include "engine/check/checked_block.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/race_host.hpp"
#include "engine/check/store_images.hpp"
#include "engine/count/access_observer.hpp"

namespace emu {

class Attempt;
struct Block;
struct BulkCopy;

class Checker : public AccessObserver {
 public:
  /// Returns the checker that runs launches alone and checks host code.
  static Checker& instance();
  /// Makes a checker for a part of a launch; its records go into `memory`.
  explicit Checker(CheckedMemory& memory);

  /// Called before each launch. Its segments are later than `segment`. If `attempt` is not null,
  /// the checker runs a part of that attempt.
  void prepare(std::uint32_t segment, Attempt* attempt);
  std::uint32_t segment() const { return context_.segment; }
  bool has_many_segments() const;  ///< there may not be enough numbers left for another launch
  /// Returns the unit (block or cluster) that a segment of the last launch belongs to.
  std::uint64_t unit_of(std::uint32_t segment) const { return context_.stay_of(segment).cluster; }
  FindingsDraft& findings() { return findings_; }
  void begin_launch(const Launch& launch, const std::vector<uint3>& threads,
                    std::uintptr_t shared_begin, std::size_t shared_bytes);
  /// Called when a block comes to the stage, to begin or to go on.
  void enter(Block& block, bool begins);
  /// Called when the block on the stage has ended.
  void end_block(const Block& block);
  /// Returns the block and the address in shared memory that a pointer of the block on the stage
  /// stands for.
  SharedAddress shared_address(const void* pointer) const {
    return context_.shared_address(reinterpret_cast<std::uintptr_t>(pointer));
  }
  bool follows_races() const { return context_.checks.race; }
  void block_barrier(const std::vector<Warp>& warps);
  /// Called when all blocks of the launch have met at the barrier of the grid.
  void grid_barrier();

  // AccessObserver: before() checks whether an access is valid, end_phase() does the rest.
  void begin_phase(unsigned warp, unsigned first_lane) override;
  void before(const LaneAccess& access) override {
    memory.check(access.address, access.bytes, access.kind, program_counter_of(access.key));
    if (attempt_ && access.kind != AccessKind::load) about_to_write(access.address, access.bytes);
  }
  bool may_go_unreported(const PredictedAccesses& predicted) override {
    if ((predicted.overlap && predicted.kind == AccessKind::store) ||
        !memory.same_object(predicted.begin, predicted.bytes))
      return false;
    return !attempt_ || predicted.kind == AccessKind::load ||
           about_to_write(predicted.begin, predicted.bytes);
  }
  void assigned_to_row(const LaneAccess& access, const RowAddresses& row) override {
    if (access.kind == AccessKind::store)
      images_.note(row.number, hot.lane, access.address, access.bytes);
  }
  void end_phase(const PhaseRows& rows) override;
  /// Records the lanes that have returned in the phase that ends.
  void note_exits(std::uint32_t lanes) { exits_ = context_.checks.sync ? lanes : 0; }

  /// Checks an operation on an mbarrier immediately, because the access log does not contain it.
  void mbarrier_access(unsigned thread, AccessKind kind, const void* barrier,
                       const void* call_site);
  /// Checks a bulk copy that a lane issues, into the shared memory of `target`. The source is
  /// global memory, or `staged_from` in the shared memory of the lane's block.
  void request_copy(unsigned thread, const BulkCopy& copy, const Block& target,
                    const void* staged_from, const void* call_site);
  /// Called when a copy into the shared memory of the block on the stage is made.
  void made_copy(const BulkCopy& copy);
  /// Begins an asynchronous read of these 16-byte pieces of shared memory: by a tensor core of the
  /// warp that has just run, or by a bulk store.
  void begin_read(AsyncRead::By by, unsigned thread, const std::vector<std::uintptr_t>& addresses,
                  const void* call_site);
  /// Checks a bulk copy out of shared memory that a lane issues.
  void request_store(unsigned thread, const BulkCopy& copy, const void* call_site);
  /// Called when a bulk copy out of shared memory is made.
  void made_bulk_store(const BulkCopy& copy);
  /// Called when a lane makes a store that it has issued earlier.
  void made_store(unsigned thread, const void* target, unsigned bytes, const void* call_site);

 private:
  void begin_block(Block& block);
  void look_at(const PhaseRows& rows, const Row& row, std::uint32_t lanes);
  void look_into_windows(WarpAccess access);
  void keep_exits(const PhaseRows& rows);
  void access(const WarpAccess& access) {
    if (access.is_shared && !context_.guards.empty() &&
        context_.guard_at(access.address(static_cast<unsigned>(std::countr_zero(access.lanes))) +
                          access.to_own_address))
      return;
    if (context_.went_out_of_bounds) return access_inside(access);
    if (access.kind == AccessKind::load && !access.is_shared &&
        (is_quiet(access) || (attempt_ && is_known_read(access))))
      return;
    follow(access);
  }
  void follow(const WarpAccess& access) {
    if (attempt_ && !access.is_shared) touch(access);
    if (context_.checks.init && !access.is_copy) init.access(access);
    if (context_.checks.race) race.access(access);
  }
  void touch(const WarpAccess& access);
  bool is_known_read(const WarpAccess& access);
  bool about_to_write(std::uintptr_t begin, std::size_t bytes);
  /// Returns whether the access only reads pages that have been read so often that another record
  /// would change nothing.
  bool is_quiet(const WarpAccess& access) const {
    std::uintptr_t quiet = 0;  // the last page that was found quiet
    for (std::uint32_t left = access.lanes; left != 0; left &= left - 1) {
      const std::uintptr_t at = access.address(static_cast<unsigned>(std::countr_zero(left)));
      if (at / kPageBytes == quiet) continue;
      if (!context_.global->arena().covers(at)) return false;
      const ShadowPage* const page = context_.global->arena().find(at);
      if (!page || !page->is_quiet(context_.all_since)) return false;
      if (access.shape == Shape::same) return true;
      quiet = at / kPageBytes;
    }
    return true;
  }
  void access_inside(const WarpAccess& access);
  /// Returns a WarpAccess for an access of one thread. `where.block` is null for global memory.
  WarpAccess single_access(unsigned thread, AccessKind kind, SharedAddress where, const void* begin,
                           unsigned bytes, const void* call_site);
  void begin_segments_anew();

  CheckContext context_;
  Attempt* attempt_ = nullptr;
  FindingsDraft findings_;
  StoreImages images_;
  std::uint32_t exits_ = 0;                            // lanes that have returned in this phase
  std::vector<std::unique_ptr<CheckedBlock>> blocks_;  // all blocks, alive or spare
  std::vector<CheckedBlock*> spare_;
  std::uint64_t launches_ = 0;

 public:
  MemoryCheck memory{context_};
  InitCheck init{context_};
  RaceCheck race{context_};
  SyncCheck sync{context_};
  HostRaceCheck host{context_};
};

}  // namespace emu
