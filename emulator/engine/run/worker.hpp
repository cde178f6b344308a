/// @file
/// A worker: a CPU thread that runs blocks. One of them is on its stage; the others are parked.
///
/// A lane starts as a plain call on the current stack. Only when it must wait does that stack
/// become the lane's own, and the worker moves to another one. In a *phase* lanes of a warp run,
/// each until it waits or finishes; then the phase's accesses are counted, and lanes whose meeting
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

/// Thrown where a lane leaves.
struct LaneExit {};

class Worker {
 public:
  static Worker& mine();              ///< this thread's
  static Worker* running() noexcept;  ///< this thread's while it runs a launch, else null
  /// Whether the program has not been warned yet of what lanes have from each other.
  static bool may_warn();

  /// Runs blocks of `launch`, as one of the crew, until none is left or the crew is to stop.
  void run(const Launch& launch, Crew& crew);
  void take_counters(Counters& total, std::vector<SiteCounters>& sites) { log_.take(total, sites); }

  // From inside a lane: the running one.
  unsigned thread() const { return run_.thread; }
  unsigned lane() const { return run_.thread % kWarpSize; }
  unsigned warp() const { return run_.thread / kWarpSize; }
  std::uint32_t bit() const { return 1u << lane(); }
  Block& block() { return *block_; }
  const Block& block() const { return *block_; }
  Warp& state() { return block_->warps[warp()]; }
  void wait();                  ///< its state is set: runs others until it can go on
  void yield();                 ///< others have a turn
  void pause();                 ///< a yield that is not waiting for anything
  std::string where() const;    ///< "block (1,0,0), thread (3,0,0)"
  [[noreturn]] void abandon();  ///< leaves the launch where it is
  /// An access: another lane, or block, may go first.
  void preempt(std::uintptr_t program_counter, std::uintptr_t address);
  void fence(FenceScope scope);
  /// An atomic or volatile access about to be made.
  void synchronise(const void* address, bool reads, bool writes);

  // What meetings need.
  AccessLog& log() { return log_; }
  const AccessLog& log() const { return log_; }
  const Launch& launch() const { return *launch_; }
  Crew& crew() { return *crew_; }
  Checker* checker() const { return checker_; }
  bool is_race_checked() const;
  bool lane_is_running() const { return lane_is_running_; }
  /// Whether a block runs as one function. Then nobody knows which thread is running.
  bool runs_block_form() const { return runs_block_form_; }
  /// Something is wrong with the block that runs as one function: it runs once more, thread by
  /// thread, and says where. Its memory no longer matters, since the device is lost.
  [[noreturn]] void run_again(cudaError_t error, const std::string& message);
  /// Whether accesses of the running block are written down.
  bool counts() const { return counts_; }
  const Stack* current_stack() const { return stack_; }
  bool is_lanes_stack(std::uintptr_t address) const { return stacks_.contains(address); }
  bool must_stop() const { return crew_->must_stop(); }
  [[noreturn]] void report_stuck(const char* what);
  /// The running block's; made for it alone where the launch has no clusters.
  Cluster& cluster();
  /// Whose shared memory of the running block's cluster an address is in; the block's own is in
  /// place, and in no window.
  std::optional<unsigned> window_rank(const void* address) const {
    const Cluster* const cluster = block_->cluster;
    return cluster ? cluster->windows.rank_of(address) : std::nullopt;
  }
  /// Bytes from where shared memory begins, and back. The lowest ten bits of an address stay.
  std::uint32_t shared_offset(const void* place) const;
  void* shared_place(std::uint32_t offset) const;
  /// What of shared memory the running kernel may touch: the piece, a variable say, that a place is
  /// in. Empty for what is in none.
  std::span<const char> shared_piece_of(const void* place) const;
  /// Why a device would refuse an access there; empty for what is in no window.
  std::string window_fault(const void* address) const;
  /// Makes the block's copy with this number, now.
  void make_copy(Block& block, std::size_t copy);

  // What the block on the stage tells.
  void begin_phase(unsigned warp, unsigned first_lane);
  void end_phase();
  bool wants_another_block() const { return leave_stage_; }
  /// Whether another block has left the stage, though it could go on.
  bool has_spinning_block() const;
  bool has_another_block() const { return alive_.size() > 1 || may_start_another(); }

  bool failing = false;  ///< a fault of this launch is being reported

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
  void came_back(Block& block);
  void end_block(Block& block);
  void give_up();
  void spoil_shared_memory();
  static void enter_stack(boost::context::detail::transfer_t from);
  [[noreturn]] void loop();
  bool has_block_forms_to_run();
  void run_block_forms();
  void run_lanes();
  void start_from(unsigned thread);  ///< and the fresh lanes after it, as long as none waits
  static void count_next(detail::LaneRun& run);
  unsigned take_fresh(unsigned lane);
  void give_back_fresh();
  void become(unsigned thread);
  void leave_lane();
  void preempt_sometimes();
  void warn_of(const UnsyncedRead& one) const;

  const Launch* launch_ = nullptr;
  Crew* crew_ = nullptr;
  Block* block_ = nullptr;  // on the stage: its stacks and its shared memory are in place
  std::vector<std::unique_ptr<Block>> alive_;  // on the stage or parked, oldest first
  std::vector<std::unique_ptr<Block>> spare_;
  std::vector<std::unique_ptr<Cluster>> clusters_;  // of the alive blocks
  Cluster* unfinished_cluster_ = nullptr;           // whose blocks have not all begun
  std::uint64_t next_unit_ = 0, end_of_units_ = 0;  // blocks or clusters that are this worker's
  std::uint64_t random_state_ = 0, passes_ = 0;
  bool leave_stage_ = false;
  bool counts_ = false;
  bool runs_block_form_ = false;
  bool is_second_run_ = false;  // of a block that has failed
  cudaError_t first_error_ = cudaSuccess;
  std::string first_message_;
  detail::RunLanes run_lanes_ = nullptr;  // of the block on the stage

  std::vector<uint3> thread_index_;  // [thread] for block_shape_
  uint3 block_shape_{};
  char* shared_begin_ = nullptr;
  std::size_t shared_bytes_ = 0;
  AccessLog log_;
  RepeatedLoads repeated_loads_;
  Checker* checker_ = nullptr;     // while a checked launch runs
  RequestTrace* trace_ = nullptr;  // while its block is on the stage
  StackPool stacks_;
  Stack* stack_ = nullptr;  // the running one
  Context root_ = nullptr;
  detail::LaneRun run_;        // its thread is the running one; its end is 0 but while lanes start
  unsigned chosen_ = kNobody;  // next thread for a stack that is about to run it
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
  if (next == kAway) {
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
  become(run_.thread);  // whoever jumped here made this lane the current one
  round_path = path;
  lane_guard = guard;
}

}  // namespace emu
