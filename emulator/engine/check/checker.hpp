/// @file
/// The checks of one launch at a time: what the engine tells them, and when.
///
/// Blocks run in turn, or on several workers with a checker each (attempt.hpp). Accesses are
/// checked for validity before they are made; whether they were initialised and ordered is worked
/// out when their phase is over, a warp's instruction at a time.
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
  /// The one that runs launches alone, and checks the host.
  static Checker& instance();
  /// One that runs part of a launch; what it learns goes into `memory`.
  explicit Checker(CheckedMemory& memory);

  /// Before each of its launches: what it does now is later than `segment`. Together with others,
  /// it is part of an attempt.
  void prepare(std::uint32_t segment, Attempt* attempt);
  std::uint32_t segment() const { return context_.segment; }
  bool has_many_segments() const;  ///< there may not be enough for another launch
  /// Whose a segment of the last launch is: a block's or a cluster's.
  std::uint64_t unit_of(std::uint32_t segment) const { return context_.stay_of(segment).cluster; }
  FindingsDraft& findings() { return findings_; }
  void begin_launch(const Launch& launch, const std::vector<uint3>& threads,
                    std::uintptr_t shared_begin, std::size_t shared_bytes);
  /// A block comes to the stage: it begins, or goes on.
  void enter(Block& block, bool begins);
  /// The one on the stage has ended.
  void end_block(const Block& block);
  /// Where in whose shared memory something is, as the block on the stage sees it.
  SharedPlace place_of(const void* pointer) const {
    return context_.shared_place(reinterpret_cast<std::uintptr_t>(pointer));
  }
  bool follows_races() const { return context_.checks.race; }
  void block_barrier(const std::vector<Warp>& warps);
  /// All blocks of the launch have met, and what they did before is over for everybody.
  void grid_barrier();

  // As an observer of the log: is an access valid, and what did it find? The rest comes with the
  // end of the phase.
  void begin_phase(unsigned warp, unsigned first_lane) override;
  void before(const LaneAccess& access) override {
    memory.check(access.address, access.bytes, access.kind, program_counter_of(access.key));
    if (attempt_ && access.kind != AccessKind::load) about_to_write(access.address, access.bytes);
  }
  bool may_pass_unseen(const Foretold& foretold) override {
    if ((foretold.overlap && foretold.kind == AccessKind::store) ||
        !memory.same_object(foretold.begin, foretold.bytes))
      return false;
    return !attempt_ || foretold.kind == AccessKind::load ||
           about_to_write(foretold.begin, foretold.bytes);
  }
  void placed(const LaneAccess& access, const RowAddresses& row) override {
    if (access.kind == AccessKind::store)
      images_.note(row.number, hot.lane, access.address, access.bytes);
  }
  void end_phase(const PhaseRows& rows) override;
  /// These lanes have returned in the phase that ends.
  void note_exits(std::uint32_t lanes) { exits_ = context_.checks.sync ? lanes : 0; }

  /// What a lane does to an mbarrier, at once: what the log does not see.
  void mbarrier_access(unsigned thread, AccessKind kind, const void* barrier,
                       const void* call_site);
  /// A lane asks for a copy into `target`, from global memory, or, of its block's own shared
  /// memory, from `staged_from`.
  void request_copy(unsigned thread, const BulkCopy& copy, const Block& target,
                    const void* staged_from, const void* call_site);
  /// A copy into the block on the stage is made.
  void made_copy(const BulkCopy& copy);
  /// A tensor core of the warp that has just run, or a bulk store, begins to read these pieces of
  /// 16 bytes of the block's shared memory.
  void begin_read(AsyncRead::By by, unsigned thread, const std::vector<std::uintptr_t>& places,
                  const void* call_site);
  /// A lane asks for a copy out of shared memory.
  void request_store(unsigned thread, const BulkCopy& copy, const void* call_site);
  /// Such a copy is made.
  void made_bulk_store(const BulkCopy& copy);
  /// A lane makes a store that it asked for earlier.
  void made_store(unsigned thread, const void* target, unsigned bytes, const void* call_site);

 private:
  void begin_block(Block& block);
  void look_at(const PhaseRows& rows, const Row& row, std::uint32_t lanes);
  void look_into_windows(WarpAccess access);
  void keep_exits(const PhaseRows& rows);
  void access(const WarpAccess& access) {
    if (access.is_shared && !context_.guards.empty() &&
        context_.guard_at(access.address(static_cast<unsigned>(std::countr_zero(access.lanes))) +
                          access.to_place))
      return;
    if (context_.outside_seen) return access_inside(access);
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
  /// A read of pages that have been read so often that once more makes no difference.
  bool is_quiet(const WarpAccess& access) const {
    std::uintptr_t quiet = 0;  // a page that is
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
  /// One thread's access to a place; `where` has no block where it is in global memory.
  WarpAccess single_access(unsigned thread, AccessKind kind, SharedPlace where, const void* begin,
                           unsigned bytes, const void* call_site);
  void begin_segments_anew();

  CheckContext context_;
  Attempt* attempt_ = nullptr;
  FindingsDraft findings_;
  StoreImages images_;
  std::uint32_t exits_ = 0;                            // lanes that have returned in this phase
  std::vector<std::unique_ptr<CheckedBlock>> blocks_;  // all there are
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
