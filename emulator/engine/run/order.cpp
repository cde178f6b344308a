#include "engine/run/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/engine.hpp"
#include "engine/run/block.hpp"
#include "engine/run/progress.hpp"
#include "engine/run/worker.hpp"

namespace emu {

namespace {

/// The usual order. Each warp runs as long as it can, then the next one. In each phase a warp's
/// lanes run in turn, from a lane that the seed and the phase choose.
class InTurn : public Order {
 public:
  /// @param plain whether to begin with warp 0 and lane 0, which suits the checks: they need no
  /// help of the order to find a race, and reports should begin there
  explicit InTurn(bool plain) : plain_(plain) {}

  void begin(const Block& block) override {
    const auto warps = static_cast<unsigned>(block.warps.size());
    turn_ = phases_of_turn_ = 0;
    first_warp_ = plain_ || warps == 1
                      ? 0
                      : 1 + static_cast<unsigned>(block.order_of(~std::uint64_t{0}) % (warps - 1));
  }

  bool begin_phase(Worker& worker, Block& block) override {
    if (block.phases != 0 && turn_ != 0) {
      const Warp& same = block.warps[block.phase_warp];
      if (same.runnable() && !same.yielded && !must_give_way(worker, block))
        return begin(worker, block, block.phase_warp);
    }
    phases_of_turn_ = 0;
    const auto warps = static_cast<unsigned>(block.warps.size());
    while (turn_ < warps) {
      const unsigned candidate = (turn_++ + first_warp_) % warps;
      if (block.warps[candidate].at(Meeting::mbarrier))
        kind_of(Meeting::mbarrier).after_phase(worker, block, candidate);
      if (block.warps[candidate].runnable()) return begin(worker, block, candidate);
    }
    turn_ = 0;
    return false;
  }

  bool answers_active_mask(Block&, const Warp&) override { return true; }

 private:
  bool begin(Worker& worker, Block& block, unsigned warp) const {
    // Lane 0 is never the first: whichever neighbour's value a lane needs without waiting for it,
    // some lane then misses it.
    const unsigned first =
        plain_ ? 0
               : 1 + static_cast<unsigned>(block.order_of(block.phases * kWarpSize + warp) %
                                           (kWarpSize - 1));
    block.begin_phase(worker, warp, block.warps[warp].runnable(), first);
    return true;
  }

  /// Returns whether the running warp must let others go first. A warp that meets again and again
  /// may be waiting for another one, which yielded to it: the other one may hold a lock, for
  /// example. Under racecheck, lanes yield at every fence.
  bool must_give_way(Worker& worker, Block& block) {
    constexpr unsigned kPatience = 1024, kPatienceOfChecks = 64;
    if (++phases_of_turn_ % (plain_ ? kPatienceOfChecks : kPatience) != 0) return false;
    block.gives_way = worker.has_spinning_block();
    // When the launch is over, a lane of another worker may never release its lock.
    return block.gives_way || worker.must_stop() ||
           std::any_of(block.warps.begin(), block.warps.end(), [&](const Warp& warp) {
             return &warp != &block.warps[block.phase_warp] && warp.ready && warp.yielded;
           });
  }

  bool plain_;
  unsigned turn_ = 0, first_warp_ = 0;
  // Phases that the current warp has run in this turn, after its first.
  unsigned phases_of_turn_ = 0;
};

/// Draws the next lane at random among all that can run. Each phase runs one lane.
class AtRandom : public Order {
 public:
  void begin(const Block&) override { choices_ = 0; }

  bool begin_phase(Worker& worker, Block& block) override {
    constexpr std::uint64_t kRound = 1024;
    if (++choices_ % kRound == 0) return false;
    constexpr std::uint64_t kEarlyCopies = 8;
    if (!block.copies.empty() && block.random() % kEarlyCopies == 0)
      worker.make_copy(block, block.random() % block.copies.size());
    unsigned runnable = 0;
    for (unsigned w = 0; w < block.warps.size(); ++w) {
      if (block.warps[w].at(Meeting::mbarrier))
        kind_of(Meeting::mbarrier).after_phase(worker, block, w);
      runnable += static_cast<unsigned>(std::popcount(block.warps[w].runnable()));
    }
    if (runnable == 0) return false;
    auto chosen = static_cast<unsigned>(block.random() % runnable);
    for (unsigned w = 0;; ++w) {
      std::uint32_t lanes = block.warps[w].runnable();
      const auto here = static_cast<unsigned>(std::popcount(lanes));
      if (chosen >= here) {
        chosen -= here;
        continue;
      }
      for (; chosen > 0; --chosen) lanes &= lanes - 1;
      block.begin_phase(worker, w, lanes & (0u - lanes), 0);
      return true;
    }
  }

  // Sometimes waits for lanes that come later, so that they are in the mask, too.
  bool answers_active_mask(Block& block, const Warp& warp) override {
    constexpr std::uint64_t kPatience = 4;
    return !warp.runnable() || block.random() % kPatience == 0;
  }

 private:
  std::uint64_t choices_ = 0;
};

/// Lanes of a warp advance from access to access together, as on devices before Volta. Where they
/// diverge, the lanes that are furthest behind go on until they reach the others.
class InLockstep : public Order {
 public:
  void begin(const Block& block) override {
    constexpr std::uint64_t kPatience = 65536;
    steps_ = 0;
    patience_ = kPatience;
    waits_.assign(block.warps.size(), {});
  }

  bool begin_phase(Worker& worker, Block& block) override {
    constexpr std::uint64_t kRound = 65536;
    if (++steps_ % kRound == 0) return false;
    for (std::size_t tries = 0; tries < block.warps.size(); ++tries) {
      const auto w = static_cast<unsigned>((steps_ + tries) % block.warps.size());
      if (block.warps[w].at(Meeting::mbarrier))
        kind_of(Meeting::mbarrier).after_phase(worker, block, w);
      if (!block.warps[w].runnable()) continue;
      block.begin_phase(worker, w, next_lanes(block, w), 0);
      return true;
    }
    return false;
  }

  bool answers_active_mask(Block&, const Warp&) override { return true; }

 private:
  /// How long lanes of a warp have been waiting for lanes that are behind them.
  struct Wait {
    std::uint64_t steps = 0;
    // Distinct accesses of the lanes behind; only the first few are kept.
    std::unordered_set<std::uint64_t> accesses;
  };

  std::uint32_t next_lanes(const Block& block, unsigned w) {
    const Warp& warp = block.warps[w];
    if (warp.fresh != 0) return warp.fresh;
    const std::uint32_t runnable = warp.runnable();
    std::uint32_t lanes = 0;
    const Lane* last = nullptr;
    for (std::uint32_t left = runnable; left != 0; left &= left - 1) {
      const Lane& lane = warp.lanes[static_cast<unsigned>(std::countr_zero(left))];
      const int order = last ? progress_.compare(lane.next_access, lane.next_path,
                                                 last->next_access, last->next_path)
                             : -1;
      if (order < 0) {
        lanes = 0;
        last = &lane;
      }
      if (order <= 0) lanes |= left & (~left + 1);
    }
    Wait& wait = waits_[w];
    if (lanes == runnable) {
      wait = {};
    } else if (last->next_access != 0 && waits_in_vain(wait, *last)) {
      warn_of_deadlock(*block.launch, warp, lanes, *last);
      return runnable;
    }
    return lanes;
  }

  /// Returns whether the lanes behind repeat a few accesses while the others wait for them.
  bool waits_in_vain(Wait& wait, const Lane& lane) {
    constexpr std::size_t kMostAccesses = 4;
    constexpr std::uint64_t kLittlePatience = 64;
    if (wait.accesses.size() <= kMostAccesses)
      wait.accesses.insert(scrambled(lane.next_access) ^ lane.next_address);
    if (++wait.steps < patience_) return false;
    const bool in_vain = wait.accesses.size() <= kMostAccesses;
    wait = {};
    if (in_vain) patience_ = kLittlePatience;  // on a device the kernel would hang here
    return in_vain;
  }

  static void warn_of_deadlock(const Launch& launch, const Warp& warp, std::uint32_t lanes,
                               const Lane& one) {
    static std::atomic<bool> is_told = false;
    if (is_told.exchange(true)) return;
    const std::string line = source_line(one.next_access);
    fmt::print(stderr,
               "emulator: warning: kernel {}: {} of {} lanes of a warp seem to wait at {} for the "
               "others; devices before Volta would hang here, because there the others wait for "
               "them\n",
               launch.name, std::popcount(lanes), std::popcount(warp.runnable()),
               line.empty() ? "an unknown line" : line);
  }

  std::uint64_t steps_ = 0, patience_ = 0;
  // [warp]
  std::vector<Wait> waits_;
  Progress progress_;
};

}  // namespace

std::unique_ptr<Order> Order::of(const Launch& launch) {
  if (launch.lockstep) return std::make_unique<InLockstep>();
  if (launch.preempted) return std::make_unique<AtRandom>();
  return std::make_unique<InTurn>(launch.checked && launch.seed == 0);
}

}  // namespace emu
