/// @file
/// Runs the threads of a block: lanes in phases, warps in turn, barriers in between.
///
/// A lane starts as a plain call on the current stack. Only when it must wait does that stack
/// become the lane's own, and the scheduler moves to another one. In a *phase* every lane of a
/// warp that can run does so, until it waits or finishes; then the phase's accesses are counted
/// and the lanes whose collective is complete may go on.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/count/access_log.hpp"
#include "engine/run/builtins.hpp"
#include "engine/meet/bulk_copy.hpp"
#include "engine/check/check_race.hpp"
#include "emulator/confined.h"
#include "engine/engine.hpp"
#include "engine/meet/mbarrier.hpp"
#include "engine/run/stacks.hpp"
#include "engine/run/turns.hpp"

namespace emu {

enum class WarpFunction : std::uint8_t {
  sync,
  ballot,
  all,
  any,
  uniform,
  match_any,
  match_all,
  reduce,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor
};
const char* name_of(WarpFunction function);

/// What a lane brings to a collective of its warp, and takes from it.
struct WarpCall {
  WarpFunction function = WarpFunction::sync;
  ReduceOp reduce = ReduceOp::add;
  unsigned mask = 0;
  std::uint64_t value = 0;
  int lane_or_delta = 0;
  int width = 32;
  std::uint64_t result = 0;
  const void* call_site = nullptr;
  int absent_source = -1;  ///< the lane a shuffle would have read from, if it takes no part
};

struct BlockCall {
  int predicate = 0;
  const void* call_site = nullptr;
};

struct Lane {
  Stack* stack = nullptr;  ///< while it waits
  WarpCall warp_call;
  BlockCall block_call;
};

/// What a lane that waits for a phase of an mbarrier waits for.
struct MbarrierWait {
  const std::uint64_t* barrier = nullptr;
  unsigned parity = 0;
  const void* call_site = nullptr;
  bool is_over = false;  ///< the answer
};

/// The stores of a thread's asynchronous copies, in batches.
struct LateStores {
  static constexpr unsigned kMostBytes = 16;
  struct Store {
    char* target;
    unsigned bytes;
    std::uint64_t batch;
    const void* call_site;
    std::array<char, kMostBytes> value;
  };
  std::vector<Store> waiting;
  std::uint64_t closed = 0;  ///< batches
};

class Checker;

/// Lanes by state, one bit a lane.
struct Warp {
  std::array<Lane, kWarpSize> lanes;
  std::uint32_t fresh = 0, ready = 0, at_warp = 0, at_block = 0, at_active_mask = 0;
  std::uint32_t at_mbarrier = 0;
  std::uint32_t polling = 0;  ///< of those in `ready`: they look at an mbarrier again and again
  bool yielded = false;       ///< nothing but yields in the last phase
  std::uint32_t runnable() const { return fresh | ready; }
  std::uint32_t alive() const {
    return runnable() | at_warp | at_block | at_active_mask | at_mbarrier;
  }
};

constexpr unsigned kNobody = ~0u;

/// What the workers of a launch share.
struct Crew {
  std::uint64_t workers = 1;
  std::atomic<bool>* stop = nullptr;
  std::atomic<std::uint64_t> next_block{0};
  std::unique_ptr<Turns> turns;  ///< of a launch that is pre-empted
};

/// One thread of the emulator: runs blocks, one at a time.
class Worker {
 public:
  static Worker& mine();              ///< this thread's
  static Worker* running() noexcept;  ///< this thread's while it runs a block, else null

  /// Runs blocks of `launch`, as number `self` of the crew, until none is left or the crew is to
  /// stop.
  void run(const Launch& launch, Crew& crew, unsigned self);
  void take_counters(Counters& total, std::vector<SiteCounters>& sites) { log_.take(total, sites); }

  // From inside a lane.
  template <class Fill>
  std::uint64_t meet_warp(WarpFunction function, unsigned mask, const void* call_site, Fill&& fill);
  struct Barrier {
    int predicates = 0;  ///< threads whose predicate was not zero
    int participants = 0;
  };
  Barrier meet_block(int predicate, const void* call_site);
  unsigned meet_active(const void* call_site);
  void yield();
  void pause();  ///< a yield that is not waiting for anything

  // The same, of mbarriers and the copies that arrive at them (async.cpp).
  void init_mbarrier(std::uint64_t* barrier, std::uint32_t count, const void* call_site);
  std::uint64_t arrive(std::uint64_t* barrier, std::uint32_t count, const void* call_site);
  void expect(std::uint64_t* barrier, std::uint32_t bytes, const void* call_site);
  bool try_wait(std::uint64_t* barrier, unsigned parity, const void* call_site);
  bool test_wait(std::uint64_t* barrier, unsigned parity, const void* call_site);
  /// Checks the copy, which is made when somebody waits for it.
  void request(BulkCopy copy);
  // The running lane's own asynchronous copies.
  void store_late(void* target, const void* value, unsigned bytes, const void* call_site);
  void close_late_batch();
  void make_late_stores(std::size_t all_but_newest);
  unsigned lane() const { return run_.thread % kWarpSize; }
  unsigned warp() const { return run_.thread / kWarpSize; }

  AccessLog& log() { return log_; }
  const Launch& launch() const { return *launch_; }
  bool lane_is_running() const { return lane_is_running_; }
  std::string where() const;  ///< "block (1,0,0), thread (3,0,0)"
  const Stack* current_stack() const { return stack_; }
  [[noreturn]] void abandon();  ///< leaves the block where it is

  /// A fence, or an atomic or volatile access about to be made, of the running lane.
  void fence(FenceScope scope);
  void synchronise(const void* address, bool reads, bool writes);
  bool is_lanes_stack(std::uintptr_t address) const { return stacks_.contains(address); }
  Checker* checker() const { return checker_; }

  void preempt_sometimes();  ///< an access of the running lane: another may go first

  bool failing = false;  ///< a fault of this block is being reported

 private:
  Worker();
  void run_block(std::uint64_t index);
  void spoil_shared_memory();
  static void enter_stack(boost::context::detail::transfer_t from);
  [[noreturn]] void loop();
  void start_from(unsigned thread);  ///< and the fresh lanes after it, as long as none waits
  static void count_next(detail::LaneRun& run);
  unsigned take_fresh(unsigned lane);
  void give_back_fresh();
  Lane& state_of(unsigned thread) {
    return warp_states_[thread / kWarpSize].lanes[thread % kWarpSize];
  }
  void become(unsigned thread);
  void leave_lane();
  void wait();  ///< the running lane's state is set: run others until it can go on
  [[noreturn]] void refuse_mask(WarpFunction function, unsigned mask, const void* call_site);
  unsigned next_thread();
  unsigned random_thread();
  std::uint64_t random();
  void release_active(Warp& warp);
  std::uint64_t block_at(std::uint64_t position) const;
  void begin_phase(unsigned warp);
  void end_phase();
  void complete_warp_calls(Warp& warp);
  void check_warp_call(const Warp& warp, WarpFunction function, std::uint32_t arrived,
                       bool all_alive);
  bool pass_barrier();
  Mbarrier mbarrier_at(const std::uint64_t* barrier, const void* call_site) const;
  void check_sources(const BulkCopy& copy) const;
  bool is_race_checked() const;
  void end_segment();
  MbarrierWait& wait_of(std::uint64_t* barrier, unsigned parity, const void* call_site);
  bool end_wait(const MbarrierWait& wait);
  void release_waits(unsigned warp);
  bool make_awaited_copy();
  void make_copy(std::size_t index);
  bool time_out_waits();
  void report_stuck(const char* what);
  bool in_plain_order() const { return checker_ && launch_->seed == 0; }
  std::uint64_t order(std::uint64_t salt) const;

  const Launch* launch_ = nullptr;
  Crew* crew_ = nullptr;
  unsigned self_ = 0;    // its number in the crew
  uint3 block_index_{};  // block_index, which device code could overwrite, is only a copy
  std::uint64_t linear_block_ = 0;
  unsigned threads_ = 0, warps_ = 0;
  std::vector<Warp> warp_states_;
  std::vector<uint3> thread_index_;  // [thread] for block_shape_
  uint3 block_shape_{};
  char* shared_begin_ = nullptr;
  AccessLog log_;
  Checker* checker_ = nullptr;     // while a checked launch runs
  RequestTrace* trace_ = nullptr;  // while its block runs
  StackPool stacks_;
  Stack* stack_ = nullptr;  // the running one
  Context root_ = nullptr;
  detail::LaneRun run_;        // its thread is the running one; its end is 0 but while lanes start
  unsigned chosen_ = kNobody;  // next thread for a stack that is about to run it
  bool lane_is_running_ = false;
  bool in_phase_ = false;
  unsigned phase_warp_ = 0, turn_ = 0, lane_turn_ = 0, first_lane_ = 0, first_warp_ = 0;
  std::uint32_t phase_lanes_ = 0;
  std::uint64_t phases_ = 0;
  std::uint64_t idle_rounds_ = 0, idle_since_ns_ = 0;
  bool progress_ = false;  // since the round began
  bool left_early_ = false;
  std::uint64_t random_state_ = 0, switches_ = 0, last_state_ = 0;
  Barrier barrier_;
  std::vector<MbarrierWait> mbarrier_waits_;  // [thread]
  std::vector<BulkCopy> copies_;              // not made yet, in the order of their requests
  unsigned time_outs_ = 0;                    // since anything changed at an mbarrier
  std::vector<LateStores> late_stores_;       // [thread]; empty if the block makes none
};

inline void Worker::become(unsigned thread) {
  thread_index = thread_index_[thread];
  lane_is_running_ = true;
  if (!launch_->counted && !launch_->preempted) return;
  hot.stack_begin = reinterpret_cast<std::uintptr_t>(stack_->memory);
  hot.stack_bytes = kStackBytes;
  if (launch_->preempted) {
    hot.cursor = &never_row;
    return;
  }
  log_.begin_lane(thread % kWarpSize);
}

inline void Worker::leave_lane() {
  lane_is_running_ = false;
  if (launch_->counted) log_.end_lane();
  if (launch_->preempted) hot.cursor = nullptr;
}

[[gnu::always_inline]] inline void Worker::wait() {
  const unsigned self = run_.thread;
  Stack* const mine = stack_;
  const std::uint64_t path = round_path;
  void* const guard = lane_guard;
  ++run_.waits;
  if (run_.end) give_back_fresh();
  leave_lane();
  state_of(self).stack = mine;
  const unsigned next = next_thread();
  if (next == self) {
    state_of(self).stack = nullptr;
    return become(self);
  }
  if (Stack*& other = state_of(next).stack) {
    stack_ = other;
    other = nullptr;
    run_.thread = next;
  } else {
    chosen_ = next;
    stack_ = stacks_.take();
  }
  jump(stack_->context, &mine->context);
  become(run_.thread);  // whoever jumped here made this lane the current one
  round_path = path;
  lane_guard = guard;
}

template <class Fill>
[[gnu::always_inline]] inline std::uint64_t Worker::meet_warp(WarpFunction function, unsigned mask,
                                                              const void* call_site, Fill&& fill) {
  const std::uint32_t bit = 1u << lane();
  if (!(mask & bit)) refuse_mask(function, mask, call_site);
  Warp& state = warp_states_[warp()];
  WarpCall& call = state.lanes[lane()].warp_call;
  call.function = function;
  call.mask = mask;
  call.call_site = call_site;
  fill(call);
  state.at_warp |= bit;
  wait();
  return call.result;
}

/// The decision of one complete collective for every lane in `lanes`.
void resolve(std::array<Lane, kWarpSize>& warp, std::uint32_t lanes);

}  // namespace emu
