#include "engine/run/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

#include "engine/check/checker.hpp"
#include "emulator/memory.h"
#include "engine/run/faults.hpp"
#include "engine/report/request_trace.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

thread_local Worker* running_worker = nullptr;

constexpr int kSpoiledByte = 0xff;  // NaN in every floating type, -1 in every signed one
constexpr std::uint64_t kStuckAfterNs = 20'000'000'000;  // rounds of yields without anything else

std::string what_is_missing(std::uint64_t mbarrier) {
  const Mbarrier now = Mbarrier::at(&mbarrier);
  std::string text = fmt::format(", which waits for {} arrival{}", std::uint64_t{now.missing},
                                 now.missing == 1 ? "" : "s");
  if (now.bytes != 0) text += fmt::format(" and {} bytes", std::int64_t{now.bytes});
  return text;
}

bool same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

const char* name_of(WarpFunction function) {
  switch (function) {
    case WarpFunction::sync:
      return "__syncwarp";
    case WarpFunction::ballot:
      return "__ballot_sync";
    case WarpFunction::all:
      return "__all_sync";
    case WarpFunction::any:
      return "__any_sync";
    case WarpFunction::uniform:
      return "__uni_sync";
    case WarpFunction::match_any:
      return "__match_any_sync";
    case WarpFunction::match_all:
      return "__match_all_sync";
    case WarpFunction::reduce:
      return "__reduce_*_sync";
    case WarpFunction::shuffle_index:
      return "__shfl_sync";
    case WarpFunction::shuffle_up:
      return "__shfl_up_sync";
    case WarpFunction::shuffle_down:
      return "__shfl_down_sync";
    case WarpFunction::shuffle_xor:
      return "__shfl_xor_sync";
  }
  return "a warp function";
}

Worker& Worker::mine() {
  thread_local Worker worker;
  return worker;
}

Worker* Worker::running() noexcept { return running_worker; }

Worker::Worker() : stacks_(&Worker::enter_stack) {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  shared_storage(begin, bytes);
  log_.set_shared_range(begin, bytes);
  shared_begin_ = reinterpret_cast<char*>(begin);
  prepare_thread_for_faults();
}

void Worker::run(const Launch& launch, Crew& crew, unsigned self) {
  const DeviceAccess access;
  if (crew.turns) crew.turns->await(self);
  launch_ = &launch;
  crew_ = &crew;
  self_ = self;
  running_worker = this;
  threads_ = launch.block.x * launch.block.y * launch.block.z;
  warps_ = (threads_ + kWarpSize - 1) / kWarpSize;
  if (!same(block_shape_, launch.block)) {
    block_shape_ = launch.block;
    thread_index_.clear();
    for (unsigned z = 0; z < launch.block.z; ++z)
      for (unsigned y = 0; y < launch.block.y; ++y)
        for (unsigned x = 0; x < launch.block.x; ++x) thread_index_.push_back({x, y, z});
    run_.index = thread_index_.data();
  }
  warp_states_.resize(warps_);
  mbarrier_waits_.resize(std::size_t{warps_} * kWarpSize);
  checker_ = launch.checked ? &Checker::instance() : nullptr;
  hot.is_checked = launch.checked;
  if (checker_) {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    shared_storage(begin, bytes);
    checker_->begin_launch(launch, thread_index_, begin, bytes);
  }
  hot.is_preempted = launch.preempted;
  run_.between = launch.counted ? &Worker::count_next : nullptr;
  block_dimensions = launch.block;
  grid_dimensions = launch.grid;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  // Neighbouring blocks together: their memory is neighbouring too, and the CPU reads ahead.
  constexpr std::uint64_t kShares = 16, kMostTogether = 64;
  const std::uint64_t together = launch.preempted ? 1
                                                  : std::clamp(blocks / (kShares * crew.workers),
                                                               std::uint64_t{1}, kMostTogether);
  const std::atomic<bool>& stop = *crew.stop;
  while (!stop.load(std::memory_order_relaxed)) {
    const std::uint64_t first = crew.next_block.fetch_add(together, std::memory_order_relaxed);
    if (first >= blocks) break;
    const std::uint64_t end = std::min(first + together, blocks);
    for (std::uint64_t index = first; index < end && !stop.load(std::memory_order_relaxed); ++index)
      run_block(launch.preempted ? block_at(index) : index);
  }
  hot.is_checked = hot.is_preempted = false;
  running_worker = nullptr;
  if (crew.turns) crew.turns->leave(self);
}

void Worker::run_block(std::uint64_t index) {
  const uint3 grid = launch_->grid;
  linear_block_ = index;
  block_index_ = {static_cast<unsigned>(index % grid.x),
                  static_cast<unsigned>(index / grid.x % grid.y),
                  static_cast<unsigned>(index / grid.x / grid.y)};
  block_index = block_index_;
  for (unsigned warp = 0; warp < warps_; ++warp) {
    Warp& state = warp_states_[warp];
    const unsigned lanes = std::min(kWarpSize, threads_ - warp * kWarpSize);
    state.fresh = lanes == kWarpSize ? kFullMask : (1u << lanes) - 1;
    state.ready = state.at_warp = state.at_block = state.at_active_mask = 0;
    state.at_mbarrier = state.polling = 0;
  }
  copies_.clear();
  late_stores_.clear();
  time_outs_ = 0;
  spoil_shared_memory();
  if (checker_) checker_->begin_block(index);
  trace_ = launch_->trace && index == RequestTrace::block() ? launch_->trace : nullptr;
  if (trace_) trace_->begin_block(block_index_, thread_index_);
  log_.set_observers({checker_, trace_});
  log_.begin_block(warps_);
  turn_ = 0;
  in_phase_ = progress_ = false;
  phases_ = idle_rounds_ = 0;
  random_state_ = launch_->seed * kRandomStep ^ (index + 1);
  switches_ = last_state_ = 0;
  chosen_ = kNobody;
  run_.end = 0;
  first_warp_ =
      warps_ == 1 ? 0 : 1 + static_cast<unsigned>(order(~std::uint64_t{0}) % (warps_ - 1));
  if (in_plain_order()) first_warp_ = 0;
  stack_ = stacks_.take();
  jump(stack_->context, &root_);
  log_.end_block();
  if (std::exchange(left_early_, false)) {
    lane_is_running_ = failing = false;
    for (Warp& warp : warp_states_)
      for (Lane& lane : warp.lanes) lane.stack = nullptr;
    stacks_.restart_all();
  } else if (checker_) {
    for (const BulkCopy& copy : copies_)
      checker_->sync.unfinished_copy(copy.thread, copy.call_site);
  }
}

// A block finds garbage, never what the block before it left: on a device that is another block's.
void Worker::spoil_shared_memory() {
  for (const SharedVariable& variable : *launch_->shared_variables)
    std::memset(shared_begin_ + variable.offset, kSpoiledByte, variable.bytes);
  if (launch_->dynamic_shared_bytes)
    std::memset(dynamic_shared_memory, kSpoiledByte, launch_->dynamic_shared_bytes);
}

void Worker::abandon() {
  left_early_ = true;
  hot.cursor = nullptr;
  Context nowhere = nullptr;
  jump(root_, &nowhere);
  std::abort();  // nobody knows the way back
}

void Worker::enter_stack(boost::context::detail::transfer_t from) {
  *static_cast<Context*>(from.data) = from.fctx;
  running_worker->loop();
}

void Worker::loop() {
  for (;;) {
    const unsigned next = chosen_ != kNobody ? std::exchange(chosen_, kNobody) : next_thread();
    Stack* const mine = stack_;
    if (next == kNobody) {
      stacks_.give(mine);
      jump(root_, &mine->context);
      continue;
    }
    Lane& lane = state_of(next);
    if (!lane.stack) {
      start_from(next);
      continue;
    }
    stacks_.give(mine);
    stack_ = std::exchange(lane.stack, nullptr);
    run_.thread = next;
    jump(stack_->context, &mine->context);
  }
}

void Worker::start_from(unsigned thread) {
  Warp& warp = warp_states_[phase_warp_];
  for (;;) {
    const std::uint64_t waits = run_.waits;
    run_.thread = thread;
    run_.end = thread + 1 + take_fresh(thread % kWarpSize + 1);
    become(thread);
    round_path = 0;
    launch_->run_lanes(launch_->object, run_);
    leave_lane();
    // Usually the lane ran through, and the next of the warp is fresh as well.
    if (waits != run_.waits) return;
    run_.end = 0;
    if (lane_turn_ == kWarpSize) return;
    const unsigned next = (lane_turn_ + first_lane_) % kWarpSize;
    if (!(warp.fresh >> next & 1)) return;
    ++lane_turn_;
    warp.fresh &= ~(1u << next);
    thread = phase_warp_ * kWarpSize + next;
  }
}

void Worker::count_next(detail::LaneRun& run) {
  AccessLog& log = running_worker->log_;
  log.end_lane();
  log.begin_lane(run.thread % kWarpSize);
}

/// The lanes from `lane` on whose turn comes next and that are fresh, up to the warp's last one.
unsigned Worker::take_fresh(unsigned lane) {
  Warp& warp = warp_states_[phase_warp_];
  const std::uint64_t from_lane = std::uint64_t{warp.fresh} >> lane;
  const unsigned count =
      std::min(static_cast<unsigned>(std::countr_one(from_lane)), kWarpSize - lane_turn_);
  const std::uint64_t taken = ((std::uint64_t{1} << count) - 1) << lane;
  warp.fresh &= ~static_cast<std::uint32_t>(taken);
  lane_turn_ += count;
  return count;
}

/// Those of take_fresh() that come after the running lane, which waits.
void Worker::give_back_fresh() {
  const unsigned count = run_.end - run_.thread - 1;
  const std::uint64_t lanes = ((std::uint64_t{1} << count) - 1) << (lane() + 1);
  warp_states_[phase_warp_].fresh |= static_cast<std::uint32_t>(lanes);
  lane_turn_ -= count;
  run_.end = 0;
}

std::uint64_t Worker::order(std::uint64_t salt) const {
  return scrambled(launch_->seed + kRandomStep * (linear_block_ + 1) + salt * 0xd1b54a32d192ed03u);
}

std::uint64_t Worker::random() { return scrambled(random_state_ += kRandomStep); }

/// The block that runs at a position: all of them, in an order that the seed decides.
std::uint64_t Worker::block_at(std::uint64_t position) const {
  const uint3 grid = launch_->grid;
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  constexpr std::uint64_t kLargestStep = 1u << 20;  // keeps the product small
  std::uint64_t step = 1 + launch_->seed * kRandomStep % std::min(blocks, kLargestStep);
  while (std::gcd(step, blocks) != 1) ++step;
  return (position * step + launch_->seed) % blocks;
}

// Some seeds switch often, some seldom: a hazard may need either.
void Worker::preempt_sometimes() {
  const unsigned shift = 1 + 2 * static_cast<unsigned>(launch_->seed % 4);
  if (random() >> (64 - shift) != 0) return;
  crew_->turns->pass_sometimes(self_);
  if (crew_->stop->load(std::memory_order_relaxed)) abandon();
  yield();
}

/// Any thread of the block that can run, for launches that are pre-empted.
unsigned Worker::random_thread() {
  for (;;) {
    if (std::exchange(in_phase_, false)) {
      Warp& warp = warp_states_[phase_warp_];
      if (warp.at_warp) complete_warp_calls(warp);
      constexpr std::uint64_t kPatience = 4;
      if (warp.at_active_mask && (!warp.runnable() || random() % kPatience == 0))
        release_active(warp);
    }
    constexpr std::uint64_t kEarlyCopies = 8;
    if (!copies_.empty() && random() % kEarlyCopies == 0) make_copy(random() % copies_.size());
    unsigned runnable = 0;
    std::uint64_t state = 0;
    for (unsigned w = 0; w < warps_; ++w) {
      if (warp_states_[w].at_mbarrier) release_waits(w);
      const Warp& warp = warp_states_[w];
      runnable += static_cast<unsigned>(std::popcount(warp.runnable()));
      state = state * 31 + (std::uint64_t{warp.alive()} << 32 | warp.at_block) + warp.at_warp;
    }
    if (runnable == 0) {
      bool alive = false, released = false;
      for (Warp& warp : warp_states_) {
        alive |= warp.alive() != 0;
        if (!warp.at_active_mask) continue;
        release_active(warp);
        released = true;
      }
      if (!alive) return kNobody;
      if (!released && !pass_barrier() && !make_awaited_copy() && !time_out_waits())
        report_stuck("can never go on");
      continue;
    }
    constexpr std::uint64_t kLookEvery = 4096;
    if (++switches_ % kLookEvery == 0 || state != last_state_) {
      if (std::exchange(last_state_, state) != state || idle_since_ns_ == 0)
        idle_since_ns_ = clock();
      else if (clock() - idle_since_ns_ > kStuckAfterNs)
        report_stuck("makes no progress");
    }
    auto chosen = static_cast<unsigned>(random() % runnable);
    for (unsigned w = 0; w < warps_; ++w) {
      Warp& warp = warp_states_[w];
      const auto here = static_cast<unsigned>(std::popcount(warp.runnable()));
      if (chosen >= here) {
        chosen -= here;
        continue;
      }
      std::uint32_t lanes = warp.runnable();
      for (; chosen > 0; --chosen) lanes &= lanes - 1;
      const std::uint32_t bit = lanes & (0u - lanes);
      warp.fresh &= ~bit;
      warp.ready &= ~bit;
      phase_warp_ = w;
      lane_turn_ = kWarpSize;  // no other lane follows this one by itself
      in_phase_ = true;
      return w * kWarpSize + static_cast<unsigned>(std::countr_zero(bit));
    }
  }
}

unsigned Worker::next_thread() {
  if (launch_->preempted) return random_thread();
  for (;;) {
    if (in_phase_) {
      Warp& warp = warp_states_[phase_warp_];
      while (lane_turn_ < kWarpSize) {
        const unsigned lane = (lane_turn_++ + first_lane_) % kWarpSize;
        const std::uint32_t bit = 1u << lane;
        if (!(phase_lanes_ & bit)) continue;
        warp.fresh &= ~bit;
        warp.ready &= ~bit;
        return phase_warp_ * kWarpSize + lane;
      }
      end_phase();
      if (warp.runnable() && !warp.yielded) {
        begin_phase(phase_warp_);
        continue;
      }
    }
    bool found = false;
    while (turn_ < warps_ && !found) {
      const unsigned candidate = (turn_++ + first_warp_) % warps_;
      if (warp_states_[candidate].at_mbarrier) release_waits(candidate);
      if (!warp_states_[candidate].runnable()) continue;
      begin_phase(candidate);
      found = true;
    }
    if (found) continue;
    // A round is over: every warp has had its turn.
    turn_ = 0;
    bool runnable = false, alive = false;
    for (unsigned w = 0; w < warps_; ++w) {
      if (warp_states_[w].at_mbarrier) release_waits(w);
      runnable |= warp_states_[w].runnable() != 0;
      alive |= warp_states_[w].alive() != 0;
    }
    if (!alive) return kNobody;
    if (!runnable) {
      if (!pass_barrier() && !make_awaited_copy() && !time_out_waits())
        report_stuck("can never go on");
      continue;
    }
    if (std::exchange(progress_, false) || make_awaited_copy()) {
      idle_rounds_ = 0;
    } else if (++idle_rounds_ % 1024 == 0) {
      if (crew_->stop->load(std::memory_order_relaxed)) abandon();
      if (idle_rounds_ == 1024)
        idle_since_ns_ = clock();
      else if (clock() - idle_since_ns_ > kStuckAfterNs)
        report_stuck("makes no progress");
    }
  }
}

void Worker::begin_phase(unsigned warp) {
  in_phase_ = true;
  phase_warp_ = warp;
  phase_lanes_ = warp_states_[warp].runnable();
  warp_states_[warp].yielded = true;
  lane_turn_ = 0;
  // Never lane 0 first: a lane that needs what its neighbour writes, on either side, must wait for
  // it.
  // The checks need no such help, and reports should begin with thread 0.
  first_lane_ = 1 + static_cast<unsigned>(order(phases_++ * kWarpSize + warp) % (kWarpSize - 1));
  if (in_plain_order()) first_lane_ = 0;
  if (launch_->counted) log_.begin_phase(warp, first_lane_);
}

void Worker::end_phase() {
  in_phase_ = false;
  Warp& warp = warp_states_[phase_warp_];
  if (launch_->counted) log_.end_phase();
  if (warp.ready != phase_lanes_) warp.yielded = false;
  if (warp.at_warp) complete_warp_calls(warp);
  release_active(warp);
  if (warp.at_mbarrier) release_waits(phase_warp_);
  progress_ |= !warp.yielded;
}

void Worker::release_active(Warp& warp) {
  while (warp.at_active_mask) {  // lanes at the same call arrived together
    const auto first = static_cast<unsigned>(std::countr_zero(warp.at_active_mask));
    std::uint32_t together = 0;
    for (unsigned lane = first; lane < kWarpSize; ++lane)
      if (warp.at_active_mask >> lane & 1 &&
          warp.lanes[lane].warp_call.call_site == warp.lanes[first].warp_call.call_site)
        together |= 1u << lane;
    for (unsigned lane = first; lane < kWarpSize; ++lane)
      if (together >> lane & 1) warp.lanes[lane].warp_call.result = together;
    warp.at_active_mask &= ~together;
    warp.ready |= together;
  }
}

void Worker::complete_warp_calls(Warp& warp) {
  const std::uint32_t alive = warp.alive();
  std::uint32_t left = warp.at_warp;
  while (left) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const WarpCall& call = warp.lanes[first].warp_call;
    const std::uint32_t wanted = call.mask & alive;  // lanes that exited are not waited for
    std::uint32_t arrived = 0;
    for (unsigned lane = first; lane < kWarpSize; ++lane)
      if (left >> lane & 1 && warp.lanes[lane].warp_call.mask == call.mask &&
          warp.lanes[lane].warp_call.function == call.function)
        arrived |= 1u << lane;
    left &= ~arrived;
    if ((arrived & wanted) != wanted) continue;
    resolve(warp.lanes, arrived);
    if (launch_->counted && call.function != WarpFunction::sync)
      log_.count_warp_function(call.function == WarpFunction::reduce);
    if (checker_) check_warp_call(warp, call.function, arrived, arrived == alive);
    warp.at_warp &= ~arrived;
    warp.ready |= arrived;
  }
}

void Worker::check_warp_call(const Warp& warp, WarpFunction function, std::uint32_t arrived,
                             bool all_alive) {
  if (function == WarpFunction::sync)
    return checker_->race.warp_barrier(phase_warp_, arrived, all_alive);
  if (function < WarpFunction::shuffle_index) return;
  for (std::uint32_t left = arrived; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const WarpCall& call = warp.lanes[lane].warp_call;
    // Lanes that the block never had are often asked, and the answer not used.
    if (call.absent_source >= 0 &&
        phase_warp_ * kWarpSize + static_cast<unsigned>(call.absent_source) < threads_)
      checker_->sync.undefined_source(name_of(function), call.mask,
                                      static_cast<unsigned>(call.absent_source),
                                      phase_warp_ * kWarpSize + lane, call.call_site);
  }
}

bool Worker::pass_barrier() {
  int predicates = 0, participants = 0;
  unsigned warps = 0;
  for (const Warp& warp : warp_states_) {
    if (warp.alive() != warp.at_block) return false;
    warps += warp.at_block != 0;
    participants += std::popcount(warp.at_block);
    for (std::uint32_t left = warp.at_block; left; left &= left - 1)
      predicates +=
          warp.lanes[static_cast<unsigned>(std::countr_zero(left))].block_call.predicate != 0;
  }
  if (launch_->counted) log_.count_barrier(warps);
  if (checker_) checker_->block_barrier(warp_states_);
  barrier_.predicates = predicates;
  barrier_.participants = participants;
  for (Warp& warp : warp_states_) warp.ready = std::exchange(warp.at_block, 0);
  return true;
}

void Worker::refuse_mask(WarpFunction function, unsigned mask, const void* call_site) {
  if (checker_) {
    const Unrecorded unrecorded;
    checker_->sync.mask_lacks_caller(name_of(function), mask, run_.thread, call_site);
  }
  const bool is_told = checker_ && settings().checks.sync;
  fail_kernel(cudaErrorIllegalInstruction,
              is_told
                  ? ""
                  : fmt::format("{} with mask 0x{:08x}, which does not name the calling lane {}",
                                name_of(function), mask, lane()),
              call_site);
}

Worker::Barrier Worker::meet_block(int predicate, const void* call_site) {
  Warp& state = warp_states_[warp()];
  state.lanes[lane()].block_call = {predicate, call_site};
  state.at_block |= 1u << lane();
  wait();
  return barrier_;
}

unsigned Worker::meet_active(const void* call_site) {
  Warp& state = warp_states_[warp()];
  Lane& mine = state.lanes[lane()];
  mine.warp_call.call_site = call_site;
  state.at_active_mask |= 1u << lane();
  wait();
  return static_cast<unsigned>(mine.warp_call.result);
}

void Worker::pause() {
  progress_ = true;
  const SiteTraits traits =
      std::exchange(hot.traits, {});  // of the access that this lane is making
  yield();
  hot.traits = traits;
}

// What a lane did before a fence must be in an earlier segment than what it does after: so the
// phase ends here. The same for an access that orders anything.
void Worker::fence(FenceScope scope) {
  if (!checker_ || !settings().checks.race) return;
  pause();
  const Unrecorded unrecorded;
  checker_->race.fence(run_.thread, scope);
}

void Worker::synchronise(const void* address, bool reads, bool writes) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (!checker_ || !checker_->race.orders(run_.thread, place, writes)) return;
  pause();
  const Unrecorded unrecorded;
  checker_->race.synchronise(run_.thread, place, log_.is_shared(place), reads, writes);
}

void Worker::yield() {
  warp_states_[warp()].ready |= 1u << lane();
  wait();
}

std::string Worker::where() const {
  std::string text =
      fmt::format("block ({},{},{})", block_index_.x, block_index_.y, block_index_.z);
  if (lane_is_running_) {
    const uint3 thread = thread_index_[run_.thread];
    text += fmt::format(", thread ({},{},{})", thread.x, thread.y, thread.z);
  }
  return text;
}

void Worker::report_stuck(const char* what) {
  std::map<std::string, unsigned> waiting;  // where -> threads
  const auto place = [](const char* name, const void* call_site) {
    const std::string line = source_line(reinterpret_cast<std::uintptr_t>(call_site));
    return line.empty() ? std::string(name) : fmt::format("{} ({})", name, line);
  };
  for (unsigned w = 0; w < warps_; ++w) {
    const Warp& warp = warp_states_[w];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      const std::uint32_t bit = 1u << lane;
      if (warp.at_block & bit)
        ++waiting[place("__syncthreads", warp.lanes[lane].block_call.call_site)];
      if (warp.at_warp & bit) {
        const WarpCall& call = warp.lanes[lane].warp_call;
        ++waiting[place(name_of(call.function), call.call_site) +
                  fmt::format(" with mask 0x{:08x}", call.mask)];
      }
      const MbarrierWait& wait = mbarrier_waits_[w * kWarpSize + lane];
      if ((warp.at_mbarrier | warp.polling) & bit)
        ++waiting[place("an mbarrier", wait.call_site) + what_is_missing(*wait.barrier)];
      else if (warp.runnable() & bit)
        ++waiting["a loop that never ends"];
    }
  }
  std::string message = what;
  for (const char* separator = ": "; const auto& [where, threads] : waiting) {
    message += fmt::format("{}{} thread{} wait{} at {}", separator, threads,
                           threads == 1 ? "" : "s", threads == 1 ? "s" : "", where);
    separator = "; ";
  }
  if (checker_) checker_->sync.stuck(warp_states_, mbarrier_waits_, message);
  const bool is_told = checker_ && settings().checks.sync;
  fail_kernel(cudaErrorLaunchTimeout, is_told ? "" : message, nullptr);
}

}  // namespace emu
