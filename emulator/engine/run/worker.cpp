#include "engine/run/worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

#include "emulator/groups.h"
#include "emulator/memory.h"
#include "engine/check/attempt.hpp"
#include "engine/check/checker.hpp"
#include "engine/meet/kinds.hpp"
#include "engine/report/request_trace.hpp"
#include "engine/run/builtins.hpp"
#include "engine/run/extents.hpp"
#include "engine/run/faults.hpp"
#include "engine/run/order.hpp"
#include "engine/run/progress.hpp"
#include "engine/settings.hpp"

namespace emu {

namespace {

thread_local Worker* running_worker = nullptr;

// NaN in every floating-point type, -1 in every signed integer type.
constexpr int kSpoiledByte = 0xff;

Checker* checker_of(const Launch& launch) {
  if (!launch.checked) return nullptr;
  return launch.attempt ? &launch.attempt->take_checker() : &Checker::instance();
}

/// Returns the unit (block or cluster) that begins at a position: a permutation of all units, drawn
/// by the seed where lanes are pre-empted, else the identity.
std::uint64_t unit_at(const Launch& launch, std::uint64_t position) {
  if (!launch.preempted) return position;
  const std::uint64_t units = volume(launch.grid) / volume(launch.cluster);
  constexpr std::uint64_t kLargestStep = 1u << 20;  // keeps the product small
  std::uint64_t step = 1 + launch.seed * kRandomStep % std::min(units, kLargestStep);
  while (std::gcd(step, units) != 1) ++step;
  return (position * step + launch.seed) % units;
}

}  // namespace

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
  shared_bytes_ = bytes;
  prepare_thread_for_faults();
}

void Worker::run(const Launch& launch, Crew& crew) {
  const DeviceAccess access;
  crew_ = &crew;
  begin_launch(launch);
  while (!must_stop()) {
    if (has_block_forms_to_run()) {
      stack_ = stacks_.take();
      jump(stack_->context, &root_);
      if (!std::exchange(left_early_, false)) continue;
      stacks_.restart_all();  // a block is to run again, thread by thread
    }
    Block* const next = choose_block();
    if (!next) break;
    enter(*next);
    stack_ = stacks_.take();
    jump(stack_->context, &root_);
    if (std::exchange(left_early_, false)) break;
    end_or_requeue(*next);
    if (is_second_run_) {  // it ended well, though its block form had failed
      is_second_run_ = false;
      if (first_error_ != cudaSuccess) note_failure(first_error_, first_message_, nullptr);
    }
  }
  give_up();
  end_launch();
  crew.leave();
}

void Worker::begin_launch(const Launch& launch) {
  launch_ = &launch;
  running_worker = this;
  if (!same(block_shape_, launch.block)) {
    block_shape_ = launch.block;
    thread_index_.clear();
    for (unsigned z = 0; z < launch.block.z; ++z)
      for (unsigned y = 0; y < launch.block.y; ++y)
        for (unsigned x = 0; x < launch.block.x; ++x) thread_index_.push_back({x, y, z});
    run_.index = thread_index_.data();
  }
  spare_.clear();  // each of them keeps the order of turns of the previous launch
  next_unit_ = end_of_units_ = 0;
  runs_block_form_ = is_second_run_ = false;
  random_state_ = launch.seed;
  if (launch.lockstep) Progress::begin_launch();
  passes_ = 0;
  checker_ = checker_of(launch);
  hot.is_checked = launch.checked;
  if (checker_) {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0;
    shared_storage(begin, bytes);
    FindingsDraft::use(launch.attempt ? &checker_->findings() : nullptr);
    checker_->begin_launch(launch, thread_index_, begin, bytes);
  }
  hot.is_preempted = launch.has_turns();
  block_dimensions = launch.block;
  grid_dimensions = launch.grid;
}

void Worker::end_launch() {
  FindingsDraft::use(nullptr);
  hot.is_checked = hot.is_preempted = false;
  running_worker = nullptr;
}

/// Drops all blocks that have begun and not ended.
void Worker::give_up() {
  if (alive_.empty()) return;
  forget_launches_of_lanes();
  lane_is_running_ = failing = false;
  block_ = nullptr;
  unfinished_cluster_ = nullptr;
  alive_.clear();
  clusters_.clear();
  stacks_.restart_all();
}

// The choice of the block on the stage.

bool Worker::may_start_another() const {
  return unfinished_cluster_ || ((next_unit_ < end_of_units_ || crew_->has_units()) &&
                                 alive_.size() < crew_->most_alive());
}

bool Worker::has_spinning_block() const {
  return std::any_of(alive_.begin(), alive_.end(), [&](const auto& block) {
    return block.get() != block_ && block->is_spinning && block->may_go_on;
  });
}

/// Begins the worker's next block; null if none is left.
Block* Worker::start_block() {
  if (!unfinished_cluster_) {
    if (next_unit_ == end_of_units_) {
      const Crew::Units units = crew_->take_units();
      next_unit_ = units.first;
      end_of_units_ = units.end;
      if (next_unit_ == end_of_units_) return nullptr;
    }
    if (volume(launch_->cluster) > 1) {
      clusters_.push_back(std::make_unique<Cluster>(
          unit_at(*launch_, next_unit_++), volume(launch_->cluster), shared_begin_, shared_bytes_));
      unfinished_cluster_ = clusters_.back().get();
    }
  }
  if (spare_.empty()) {
    spare_.push_back(std::make_unique<Block>());
    spare_.back()->turns = Order::of(*launch_);
  }
  alive_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  Block& block = *alive_.back();
  Cluster* const cluster = unfinished_cluster_;
  if (!cluster) {
    block.begin(*launch_, unit_at(*launch_, next_unit_++), nullptr);
    return &block;
  }
  const uint3 size = launch_->cluster, grid = launch_->grid;
  const uint3 first =
      coordinates_of({grid.x / size.x, grid.y / size.y, grid.z / size.z}, cluster->number);
  const unsigned rank = cluster->begun++;
  const uint3 in_cluster = coordinates_of(size, rank);
  block.begin(
      *launch_,
      first.x * size.x + in_cluster.x +
          std::uint64_t{grid.x} * (first.y * size.y + in_cluster.y +
                                   std::uint64_t{grid.y} * (first.z * size.z + in_cluster.z)),
      cluster);
  block.rank = rank;
  cluster->blocks[rank] = &block;
  if (cluster->begun == cluster->blocks.size()) unfinished_cluster_ = nullptr;
  return &block;
}

Block* Worker::choose_block() {
  leave_stage_ = false;
  if (launch_->preempted) return choose_at_random();
  for (;;) {
    if (unfinished_cluster_ || alive_.empty() || (launch_->cooperative && may_start_another()))
      if (Block* const fresh = start_block()) return fresh;
    if (alive_.empty()) return nullptr;
    const auto choose = [&](bool spinning) -> Block* {
      for (auto& block : alive_) {
        if (block->at_grid_barrier && block->grid_phase != crew_->grid_phase())
          block->may_go_on = true;
        if (block->may_go_on && block->is_spinning == spinning) return block.get();
      }
      return nullptr;
    };
    if (Block* const block = choose(false)) return block;
    if (may_start_another())
      if (Block* const fresh = start_block()) return fresh;
    if (Block* const block = choose(true)) return block;
    // All blocks wait for others. Blocks of other workers can help only at the barrier of the grid.
    if (Block& oldest = *alive_.front();
        !(oldest.at_grid_barrier && crew_->wait_for_grid(oldest.grid_phase))) {
      oldest.help_may_come = false;
      return &oldest;
    }
    if (must_stop()) return nullptr;
  }
}

/// Returns one of the blocks that can go on, or a new one while few have begun.
Block* Worker::choose_at_random() {
  std::vector<Block*> able;
  for (auto& block : alive_) {
    if (block->at_grid_barrier && block->grid_phase != crew_->grid_phase()) block->may_go_on = true;
    if (block->may_go_on) able.push_back(block.get());
  }
  random_state_ += kRandomStep;
  const std::uint64_t fresh = may_start_another() ? crew_->most_alive() - alive_.size() : 0;
  const std::uint64_t choice =
      scrambled(random_state_) % std::max<std::uint64_t>(able.size() + fresh, 1);
  if (choice < able.size()) return able[choice];
  if (Block* const block = start_block()) return block;
  if (!able.empty()) return able.front();
  if (alive_.empty()) return nullptr;
  alive_.front()->help_may_come = false;
  return alive_.front().get();
}

/// Returns whether the next blocks can run in block form; takes the units that they are in.
bool Worker::has_block_forms_to_run() {
  if (!launch_->has_block_form || !alive_.empty() || is_second_run_) return false;
  if (next_unit_ == end_of_units_) {
    const Crew::Units units = crew_->take_units();
    next_unit_ = units.first;
    end_of_units_ = units.end;
  }
  return next_unit_ != end_of_units_ && !(launch_->watches_first_block && next_unit_ == 0);
}

/// Runs blocks in block form. Runs on a stack of its own, so that an error can abandon it.
void Worker::run_block_forms() {
  runs_block_form_ = lane_is_running_ = true;
  for (; next_unit_ != end_of_units_ && !must_stop(); ++next_unit_) {
    block_index = coordinates_of(launch_->grid, next_unit_);
    spoil_shared_memory();
    launch_->forms.block(launch_->object, &launch_->block);
  }
  runs_block_form_ = lane_is_running_ = false;
}

void Worker::run_again(cudaError_t error, const std::string& message) {
  runs_block_form_ = lane_is_running_ = failing = false;
  is_second_run_ = true;
  first_error_ = error;
  first_message_ = message;
  abandon();
}

void Worker::enter(Block& block) {
  const bool is_new = block.phases == 0 && block.parked.stacks.empty();
  if (block_ != &block) {
    if (block_) park(*block_);
    block_ = &block;
    if (!is_new) unpark(block);
  }
  block_index = block.index;
  counts_ = launch_->counted || (launch_->watches_first_block && block.linear == 0);
  const detail::Forms& forms = launch_->forms;
  const bool is_quick = forms.quick && !counts_ && !launch_->has_turns() && !is_second_run_;
  run_lanes_ = is_quick ? forms.quick : forms.instrumented;
  run_.between = counts_ ? &Worker::count_next : nullptr;
  run_.end = 0;
  chosen_ = kNobody;
  trace_ = launch_->trace && block.linear == RequestTrace::block() ? launch_->trace : nullptr;
  log_.set_observers({checker_, trace_});
  if (is_new) repeated_loads_.forget(block.linear);
  log_.set_repeated_loads(counts_ && settings().profile ? &repeated_loads_ : nullptr, block.linear);
  log_.set_block(&block.requests, &block.loads);
  log_.set_windows(block.cluster ? &block.cluster->windows : nullptr);
  if (block.cluster) block.cluster->windows.close(block.rank);
  if (checker_) checker_->enter(block, is_new);
  if (!is_new) return;
  spoil_shared_memory();
  if (trace_)
    trace_->begin_block(block.index, thread_index_,
                        block.cluster ? &block.cluster->windows : nullptr);
}

/// Calls `visit(begin, bytes)` for every piece of shared memory that the kernel may touch.
template <class Visit>
void for_shared_memory(const Launch& launch, char* begin, Visit&& visit) {
  for (const SharedVariable& variable : *launch.visible_variables)
    visit(begin + variable.offset, variable.bytes);
  if (launch.dynamic_shared_bytes) visit(dynamic_shared_memory, launch.dynamic_shared_bytes);
}

/// Saves the block's stacks and shared memory, to make room for another block.
void Worker::park(Block& block) {
  for (Warp& warp : block.warps)
    for (Lane& lane : warp.lanes)
      if (lane.stack) block.parked.save(*lane.stack);
  stacks_.restart_all();
  if (block.cluster) block.cluster->windows.open(block.rank);
  for_shared_memory(*launch_, shared_begin_, [&](char* begin, std::size_t bytes) {
    if (block.cluster) {
      std::memcpy(block.cluster->windows.in_window(begin, block.rank), begin, bytes);
    } else {
      block.parked.shared.insert(block.parked.shared.end(), begin, begin + bytes);
    }
  });
}

void Worker::unpark(Block& block) {
  block.parked.restore(stacks_);
  std::size_t done = 0;
  for_shared_memory(*launch_, shared_begin_, [&](char* begin, std::size_t bytes) {
    std::memcpy(begin,
                block.cluster ? block.cluster->windows.in_window(begin, block.rank)
                              : block.parked.shared.data() + done,
                bytes);
    done += bytes;
  });
  block.parked.shared.clear();
}

/// Called when the block has left the stage. Ends it if none of its threads is alive, else puts it
/// behind the other blocks.
void Worker::end_or_requeue(Block& block) {
  if (!block.any_alive()) return end_block(block);
  if (alive_.size() == 1) return;
  const auto position = std::find_if(alive_.begin(), alive_.end(),
                                     [&](const auto& one) { return one.get() == &block; });
  std::rotate(position, position + 1, alive_.end());  // the others first
}

void Worker::end_block(Block& block) {
  make_all_bulk_stores(*this, block);
  log_.end_block();
  if (checker_) checker_->end_block(block);
  if (Cluster* const cluster = block.cluster) {
    cluster->blocks[block.rank] = nullptr;
    ++cluster->over;
    end_cluster_phase_if_complete(*this, *cluster);
    if (cluster->is_over())
      std::erase_if(clusters_, [&](const auto& one) { return one.get() == cluster; });
  }
  block_ = nullptr;
  const auto position = std::find_if(alive_.begin(), alive_.end(),
                                     [&](const auto& one) { return one.get() == &block; });
  spare_.push_back(std::move(*position));
  alive_.erase(position);
}

// Fills shared memory with garbage before a block begins: on a device it holds what other blocks
// left.
void Worker::spoil_shared_memory() {
  for (const SharedVariable& variable : *launch_->shared_variables)
    std::memset(shared_begin_ + variable.offset, kSpoiledByte, variable.bytes);
  if (launch_->dynamic_shared_bytes)
    std::memset(dynamic_shared_memory, kSpoiledByte, launch_->dynamic_shared_bytes);
}

Cluster& Worker::cluster() {
  Block& block = *block_;
  if (!block.cluster) {
    clusters_.push_back(std::make_unique<Cluster>(block.linear, 1, shared_begin_, shared_bytes_));
    block.cluster = clusters_.back().get();
    block.cluster->blocks[0] = &block;
    block.cluster->begun = 1;
    log_.set_windows(&block.cluster->windows);
  }
  return *block.cluster;
}

namespace {

constexpr std::uintptr_t kSwizzlePeriod = 1024;  // the swizzle patterns repeat after as many bytes
// The range of addresses that a wgmma descriptor can hold.
constexpr std::uint32_t kDescribedBytes = 1 << 18;

/// Returns the offset of `address` in the 32-bit shared address space, without the gap before
/// dynamic memory.
std::uint32_t distance(const char* shared_begin, const void* address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(shared_begin) / kSwizzlePeriod;
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) -
                                    begin * kSwizzlePeriod);
}

/// Returns how many addresses are skipped before dynamic shared memory. A program's variables may
/// exceed what a device has; dynamic memory does not, and the gap puts all of it between two
/// multiples of a descriptor's range. Then an addition to a descriptor never carries.
std::uint32_t gap_before(std::uint32_t dynamic, std::size_t bytes) {
  const std::uint32_t first = (kFirstSharedAddress + dynamic) % kDescribedBytes;
  return first + bytes <= kDescribedBytes ? 0 : kDescribedBytes - first;
}

}  // namespace

std::uint32_t Worker::shared_offset(const void* address) const {
  const std::uint32_t offset = distance(shared_begin_, address);
  const std::uint32_t dynamic = distance(shared_begin_, dynamic_shared_memory);
  if (offset < dynamic) return offset;
  return offset + gap_before(dynamic, launch_->dynamic_shared_bytes);
}

void* Worker::shared_pointer(std::uint32_t offset) const {
  const std::uint32_t dynamic = distance(shared_begin_, dynamic_shared_memory);
  const std::uint32_t gap = gap_before(dynamic, launch_->dynamic_shared_bytes);
  if (offset >= dynamic && offset - dynamic < gap) return nullptr;  // in the gap
  if (offset >= dynamic) offset -= gap;
  const auto begin = reinterpret_cast<std::uintptr_t>(shared_begin_) / kSwizzlePeriod;
  return reinterpret_cast<void*>(begin * kSwizzlePeriod + offset);
}

std::span<const char> Worker::shared_piece_of(const void* address) const {
  std::span<const char> found;
  for_shared_memory(*launch_, shared_begin_, [&](const char* begin, std::size_t bytes) {
    if (reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin) < bytes)
      found = {begin, bytes};
  });
  return found;
}

std::string Worker::window_fault(const void* address) const {
  const auto rank = window_rank(address);
  if (!rank) return {};
  const Cluster& cluster = *block_->cluster;
  if (*rank >= cluster.blocks.size())
    return fmt::format("there is no block {} in a cluster of {}", *rank, cluster.blocks.size());
  if (*rank == block_->rank)
    return fmt::format(
        "block {} of the cluster uses an address of its own shared memory that "
        "another block made, which the emulator does not follow",
        *rank);
  if (*rank >= cluster.begun)
    return fmt::format(
        "block {} of the cluster has perhaps not begun: is a barrier of the cluster before this "
        "line?",
        *rank);
  if (!cluster.blocks[*rank])
    return fmt::format(
        "block {} of the cluster has ended, and its shared memory with it: is a "
        "barrier of the cluster before its end?",
        *rank);
  return fmt::format("beyond the shared memory of block {} of the cluster", *rank);
}

void Worker::abandon() {
  left_early_ = true;
  hot.cursor = nullptr;
  Context nowhere = nullptr;
  jump(root_, &nowhere);
  std::abort();  // unreachable: nothing jumps back to this stack
}

void Worker::enter_stack(boost::context::detail::transfer_t from) {
  *static_cast<Context*>(from.data) = from.fctx;
  running_worker->loop();
}

void Worker::loop() {
  for (;;) {
    if (!block_) {
      run_block_forms();
      stacks_.give(stack_);
      jump(root_, &stack_->context);
      continue;
    }
    const unsigned next =
        chosen_ != kNobody ? std::exchange(chosen_, kNobody) : block_->next_thread(*this);
    Stack* const mine = stack_;
    if (next == kNobody || next == kLeavesStage) {
      stacks_.give(mine);
      jump(root_, &mine->context);
      continue;
    }
    Lane& lane = block_->lane(next);
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
  for (;;) {
    const std::uint64_t waits = run_.waits;
    run_.thread = thread;
    run_.end = thread + 1 + take_fresh(thread % kWarpSize + 1);
    become(thread);
    round_path = 0;
    run_lanes();
    leave_lane();
    // A lane that has not waited has ended. Usually the next lane of the warp is fresh as well.
    if (waits != run_.waits) return;
    run_.end = 0;
    Block& block = *block_;
    if (block.lane_turn == kWarpSize) return;
    const unsigned next = (block.lane_turn + block.first_lane) % kWarpSize;
    Warp& warp = block.warps[block.phase_warp];
    if (!((warp.fresh & block.phase_lanes) >> next & 1)) return;
    ++block.lane_turn;
    warp.fresh &= ~(1u << next);
    thread = block.phase_warp * kWarpSize + next;
  }
}

/// Runs the lanes of run_; any of them may exit from within a function by throwing LaneExit.
void Worker::run_lanes() {
  for (const std::uint64_t waits = run_.waits;;) {
    try {
      return run_lanes_(launch_->object, run_);
    } catch (const LaneExit&) {
      if (run_.waits != waits || ++run_.thread == run_.end) return;
      if (run_.between) run_.between(run_);
    }
  }
}

void Worker::count_next(detail::LaneRun& run) {
  AccessLog& log = running_worker->log_;
  log.end_lane();
  log.begin_lane(run.thread % kWarpSize);
}

/// Takes the consecutive fresh lanes from `lane` on whose turn comes next, and returns their
/// number.
unsigned Worker::take_fresh(unsigned lane) {
  Block& block = *block_;
  Warp& warp = block.warps[block.phase_warp];
  const std::uint64_t from_lane = std::uint64_t{warp.fresh & block.phase_lanes} >> lane;
  const unsigned count =
      std::min(static_cast<unsigned>(std::countr_one(from_lane)), kWarpSize - block.lane_turn);
  const std::uint64_t taken = ((std::uint64_t{1} << count) - 1) << lane;
  warp.fresh &= ~static_cast<std::uint32_t>(taken);
  block.lane_turn += count;
  return count;
}

/// Gives back the lanes of take_fresh() behind the running lane, because it waits.
void Worker::give_back_fresh() {
  const unsigned count = run_.end - run_.thread - 1;
  const std::uint64_t lanes = ((std::uint64_t{1} << count) - 1) << (lane() + 1);
  block_->warps[block_->phase_warp].fresh |= static_cast<std::uint32_t>(lanes);
  block_->lane_turn -= count;
  run_.end = 0;
}

void Worker::begin_phase(unsigned warp, unsigned first_lane) {
  if (counts_) log_.begin_phase(warp, first_lane);
}

void Worker::end_phase() {
  if (!counts_) return;
  if (checker_)
    checker_->note_exits(block_->phase_lanes & ~block_->warps[block_->phase_warp].alive());
  log_.end_phase();
  if (const auto one = log_.take_unsynced_read()) warn_of(*one);
}

namespace {
std::atomic<bool> is_warned_of_unsynced_read = false;
}  // namespace

bool Worker::may_warn() { return !is_warned_of_unsynced_read.load(std::memory_order_relaxed); }

/// Prints the warning once per program: a program that relies on lockstep does so in many places.
void Worker::warn_of(const UnsyncedRead& one) const {
  if (is_warned_of_unsynced_read.exchange(true)) return;
  const auto line_of = [](std::uintptr_t key) {
    const std::string line = source_line(program_counter_of(key));
    return line.empty() ? "an unknown line" : line;
  };
  fmt::print(stderr,
             "emulator: warning: kernel {}: lane {} of a warp reads at {} the shared memory that "
             "lane {} writes at {}, without a __syncwarp() or a barrier between them; since Volta, "
             "lanes do not go together, and COURSE_LOCKSTEP=1 runs them as older devices did\n",
             launch_->name, one.reader, line_of(one.load), one.writer, line_of(one.store));
}

void Worker::yield() {
  const bool carry = carry_flag;
  state().ready |= bit();
  wait();
  carry_flag = carry;
}

void Worker::pause() {
  if (runs_block_form_) return;  // in block form, no thread waits for another
  block_->progress = true;
  const AccessTraits traits =
      std::exchange(hot.traits, {});  // these belong to the access that the lane is making
  yield();
  hot.traits = traits;
}

void Worker::preempt(std::uintptr_t program_counter, std::uintptr_t address) {
  if (!launch_->lockstep) return preempt_sometimes();
  if (must_stop()) abandon();
  Lane& lane = block_->lane(run_.thread);
  lane.next_access = program_counter;
  lane.next_path = round_path;
  lane.next_address = address;
  yield();
  block_->lane(run_.thread).next_access = 0;
}

// Switches with a probability that the seed decides, because some hazards need many switches and
// some few. Switching blocks costs some microseconds: small launches switch often, large ones less
// and less.
void Worker::preempt_sometimes() {
  const unsigned shift = 1 + 2 * static_cast<unsigned>(launch_->seed % 4);
  if (block_->random() >> (64 - shift) != 0) return;
  if (must_stop()) abandon();
  constexpr std::uint64_t kPassesBeforeRarer = 1024;
  if (has_another_block() && block_->random() % (1 + passes_ / kPassesBeforeRarer) == 0) {
    ++passes_;
    leave_stage_ = true;
  }
  yield();
}

// Ends the phase, because accesses before a fence must be in an earlier segment than those behind
// it. The same holds for synchronise().
void Worker::fence(FenceScope scope) {
  if (!is_race_checked()) return;
  pause();
  const Unrecorded unrecorded;
  checker_->race.fence(run_.thread, scope);
}

void Worker::synchronise(const void* address, bool reads, bool writes) {
  const auto word = reinterpret_cast<std::uintptr_t>(address);
  if (!is_race_checked() || !checker_->race.orders(run_.thread, word, writes)) return;
  pause();
  const Unrecorded unrecorded;
  checker_->race.synchronise(run_.thread, word, reads, writes);
}

/// Returns whether races are checked. Then a lane that orders memory ends its phase, so that its
/// earlier accesses are in earlier segments.
bool Worker::is_race_checked() const { return checker_ && checker_->follows_races(); }

std::string Worker::where() const {
  const uint3 index = block_ ? block_->index : block_index;
  std::string text = fmt::format("block ({},{},{})", index.x, index.y, index.z);
  if (lane_is_running_) {
    const uint3 thread = thread_index_[run_.thread];
    text += fmt::format(", thread ({},{},{})", thread.x, thread.y, thread.z);
  }
  return text;
}

void Worker::report_stuck(const char* what) {
  const Block& block = *block_;
  std::map<std::string, unsigned> waiting;  // meeting point -> number of threads
  for (unsigned thread = 0; thread < block.threads; ++thread) {
    const Warp& warp = block.warps[thread / kWarpSize];
    const std::uint32_t bit = 1u << thread % kWarpSize;
    for (std::size_t kind = 0; kind < kMeetings; ++kind)
      if (const auto meeting = static_cast<Meeting>(kind);
          warp.at(meeting) & bit || (meeting == Meeting::mbarrier && warp.polling & bit))
        ++waiting[kind_of(meeting).describe_wait(block, thread)];
    if (warp.runnable() & ~warp.polling & bit) ++waiting["a loop that never ends"];
  }
  std::string message = what;
  for (const char* separator = ": "; const auto& [where, threads] : waiting) {
    message += fmt::format("{}{} thread{} wait{} at {}", separator, threads,
                           threads == 1 ? "" : "s", threads == 1 ? "s" : "", where);
    separator = "; ";
  }
  if (checker_) checker_->sync.stuck(block, message);
  const bool is_told = checker_ && settings().checks.sync;
  fail_kernel(cudaErrorLaunchTimeout, is_told ? "" : message, nullptr);
}

}  // namespace emu
