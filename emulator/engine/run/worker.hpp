/// @file
/// A worker: a CPU thread that runs blocks. One of its blocks is on the stage, the others are
/// parked.
///
/// A lane starts as a plain call on the current stack. Only when it must wait does that stack
/// become the lane's own, and the worker moves to another one. In a *phase*, the lanes of one warp
/// run, each until it waits or ends. Then the phase's accesses are counted, and lanes whose meeting
/// is complete may go on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emulator/confined.h"
#include "engine/check/check_race.hpp"
#include "engine/count/access_log.hpp"
#include "engine/engine.hpp"
#include "engine/meet/cluster.hpp"
#include "engine/run/block.hpp"
#include "engine/run/builtins.hpp"
#include "engine/run/crew.hpp"
#include "engine/run/stacks.hpp"

namespace emu {

class Checker;

/// Thrown by a lane that exits from within a function.
struct LaneExit {};

class Worker {
 public:
  static Worker& mine();  ///< the calling thread's worker
  /// The calling thread's worker while it runs a launch, else null.
  static Worker* running() noexcept;
  /// Returns whether the warning of unsynchronised reads within a warp has not been printed yet.
  static bool may_warn();

  /// Runs blocks of `launch` together with the rest of the crew, until none is left or the crew
  /// must stop.
  void run(const Launch& launch, Crew& crew);
  void take_counters(Counters& total, std::vector<AccessSiteCounters>& sites) {
    log_.take(total, sites);
  }

  // The running lane, for calls from inside it.
  unsigned thread() const { return run_.thread; }
  unsigned lane() const { return run_.thread % kWarpSize; }
  unsigned warp() const { return run_.thread / kWarpSize; }
  std::uint32_t bit() const { return 1u << lane(); }
  Block& block() { return *block_; }
  const Block& block() const { return *block_; }
  Warp& state() { return block_->warps[warp()]; }
  void wait();   ///< suspends the lane, whose state says what for, and runs others meanwhile
  void yield();  ///< lets other lanes run first
  void pause();  ///< a yield() that counts as progress: the lane does not poll
  std::string where() const;    ///< "block (1,0,0), thread (3,0,0)"
  [[noreturn]] void abandon();  ///< leaves the launch without finishing it
  /// Called before an access: lets another lane, or another block, go first.
  void preempt(std::uintptr_t program_counter, std::uintptr_t address);
  /// Orders the running lane's accesses before and behind a fence, for racecheck.
  void fence(FenceScope scope);
  /// Tells racecheck of an atomic or volatile access, just before it is made.
  void synchronise(const void* address, bool reads, bool writes);

  // For meetings.
  AccessLog& log() { return log_; }
  const AccessLog& log() const { return log_; }
  const Launch& launch() const { return *launch_; }
  Crew& crew() { return *crew_; }
  Checker* checker() const { return checker_; }
  bool is_race_checked() const;
  bool lane_is_running() const { return lane_is_running_; }
  /// Returns whether blocks run in block form. Then it is unknown which thread is running.
  bool runs_block_form() const { return runs_block_form_; }
  /// Abandons a block that failed in block form and runs it again in the instrumented form, which
  /// reports thread and line. What the first run has left in memory does not matter: after an error
  /// the device is lost.
  [[noreturn]] void run_again(cudaError_t error, const std::string& message);
  /// Returns whether accesses of the running block are logged.
  bool counts() const { return counts_; }
  const Stack* current_stack() const { return stack_; }
  bool is_lanes_stack(std::uintptr_t address) const { return stacks_.contains(address); }
  bool must_stop() const { return crew_->must_stop(); }
  [[noreturn]] void report_stuck(const char* what);
  /// Returns the running block's cluster; makes one of a single block where the launch has no
  /// clusters.
  Cluster& cluster();
  /// Returns the rank of the cluster's block whose shared memory window the address is in. The
  /// block's own shared memory is in place, not in a window.
  std::optional<unsigned> window_rank(const void* address) const {
    const Cluster* const cluster = block_->cluster;
    return cluster ? cluster->windows.rank_of(address) : std::nullopt;
  }
  /// Converts an address in shared memory to CUDA's 32-bit shared address, and back. The lowest ten
  /// bits of both are equal.
  std::uint32_t shared_offset(const void* address) const;
  void* shared_pointer(std::uint32_t offset) const;
  /// Returns the piece of shared memory, such as a variable, that contains `address`; empty if the
  /// running kernel may not touch it.
  std::span<const char> shared_piece_of(const void* address) const;
  /// Returns why a device would refuse an access to the address; empty if it is in no window.
  std::string window_fault(const void* address) const;
  /// Makes copy number `copy` of the block's pending bulk copies now.
  void make_copy(Block& block, std::size_t copy);

  // For the block on the stage.
  void begin_phase(unsigned warp, unsigned first_lane);
  void end_phase();
  bool wants_another_block() const { return leave_stage_; }
  /// Returns whether another block has left the stage only because it polls memory.
  bool has_spinning_block() const;
  bool has_another_block() const { return alive_.size() > 1 || may_start_another(); }

  bool failing = false;  ///< true while a fault of this launch is being reported

 private:
  Worker();
  void begin_launch(const Launch& launch);
  void end_launch();
  Block* choose_block();
  Block* choose_at_random();
  Block* start_block();
  bool may_start_another() const;
  void enter(Block& block);
  void park(Block& block);
  void unpark(Block& block);
  void end_or_requeue(Block& block);
  void end_block(Block& block);
  void give_up();
  void spoil_shared_memory();
  static void enter_stack(boost::context::detail::transfer_t from);
  [[noreturn]] void loop();
  bool has_block_forms_to_run();
  void run_block_forms();
  void run_lanes();
  /// Runs a fresh lane, and the fresh lanes behind it as long as none waits.
  void start_from(unsigned thread);
  static void count_next(detail::LaneRun& run);
  unsigned take_fresh(unsigned lane);
  void give_back_fresh();
  void become(unsigned thread);
  void leave_lane();
  void preempt_sometimes();
  void warn_of(const UnsyncedRead& one) const;

  const Launch* launch_ = nullptr;
  Crew* crew_ = nullptr;
  Block* block_ = nullptr;  // the block on the stage: its stacks and its shared memory are in place
  std::vector<std::unique_ptr<Block>> alive_;  // on the stage or parked, oldest first
  std::vector<std::unique_ptr<Block>> spare_;
  std::vector<std::unique_ptr<Cluster>> clusters_;  // clusters of the blocks in alive_
  Cluster* unfinished_cluster_ = nullptr;           // the cluster whose blocks have not all begun
  // The units that this worker has taken and not begun.
  std::uint64_t next_unit_ = 0, end_of_units_ = 0;
  std::uint64_t random_state_ = 0, passes_ = 0;
  bool leave_stage_ = false;
  bool counts_ = false;
  bool runs_block_form_ = false;
  bool is_second_run_ = false;  // true while a block that failed in block form runs again
  cudaError_t first_error_ = cudaSuccess;
  std::string first_message_;
  detail::RunLanes run_lanes_ = nullptr;  // how lanes of the block on the stage are run

  std::vector<uint3> thread_index_;  // [thread], for block_shape_
  uint3 block_shape_{};
  char* shared_begin_ = nullptr;
  std::size_t shared_bytes_ = 0;
  AccessLog log_;
  RepeatedLoads repeated_loads_;
  Checker* checker_ = nullptr;     // null unless the launch is checked
  RequestTrace* trace_ = nullptr;  // null unless the block on the stage is traced
  StackPool stacks_;
  Stack* stack_ = nullptr;  // the running stack
  Context root_ = nullptr;
  // The running lanes; `thread` is the current one, `end` is 0 except while lanes start.
  detail::LaneRun run_;
  unsigned chosen_ = kNobody;  // the thread that the next stack runs first
  bool lane_is_running_ = false;
  bool left_early_ = false;
};

inline void Worker::become(unsigned thread) {
  thread_index = thread_index_[thread];
  lane_is_running_ = true;
  if (!counts_ && !launch_->has_turns()) return;
  hot.stack_begin = reinterpret_cast<std::uintptr_t>(stack_->memory);
  hot.stack_bytes = kStackBytes;
  if (launch_->has_turns()) {
    hot.cursor = &never_row;
    return;
  }
  log_.begin_lane(thread % kWarpSize);
}

inline void Worker::leave_lane() {
  lane_is_running_ = false;
  if (counts_) log_.end_lane();
  if (launch_->has_turns()) hot.cursor = nullptr;
}

[[gnu::always_inline]] inline void Worker::wait() {
  const unsigned self = run_.thread;
  Stack* const mine = stack_;
  const std::uint64_t path = round_path;
  void* const guard = lane_guard;
  ++run_.waits;
  if (run_.end) give_back_fresh();
  leave_lane();
  block_->lane(self).stack = mine;
  const unsigned next = block_->next_thread(*this);
  if (next == self) {
    block_->lane(self).stack = nullptr;
    return become(self);
  }
  if (next == kLeavesStage) {
    jump(root_, &mine->context);
  } else {
    if (Stack*& other = block_->lane(next).stack) {
      stack_ = other;
      other = nullptr;
      run_.thread = next;
    } else {
      chosen_ = next;
      stack_ = stacks_.take();
    }
    jump(stack_->context, &mine->context);
  }
  become(run_.thread);  // the stack that jumped here has set run_.thread to this lane
  round_path = path;
  lane_guard = guard;
}

}  // namespace emu
