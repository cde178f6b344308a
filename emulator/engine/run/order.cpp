#include "engine/run/order.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "engine/engine.hpp"
#include "engine/run/block.hpp"
#include "engine/run/worker.hpp"

namespace emu {

namespace {

/// Warps in turn, each as long as it can; in a phase its lanes in turn, from one that the seed and
/// the time choose.
class InTurn : public Order {
 public:
  /// @param plain  from warp 0 and lane 0: the checks need no help, and reports should begin there
  explicit InTurn(bool plain) : plain_(plain) {}

  void begin(const Block& block) override {
    const auto warps = static_cast<unsigned>(block.warps.size());
    turn_ = 0;
    first_warp_ = plain_ || warps == 1
                      ? 0
                      : 1 + static_cast<unsigned>(block.order_of(~std::uint64_t{0}) % (warps - 1));
  }

  bool begin_phase(Worker& worker, Block& block) override {
    if (block.phases != 0 && turn_ != 0) {
      const Warp& same = block.warps[block.phase_warp];
      if (same.runnable() && !same.yielded) return begin(worker, block, block.phase_warp);
    }
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
    // Never lane 0 first: a lane that needs what its neighbour writes, on either side, must wait
    // for it.
    const unsigned first =
        plain_ ? 0
               : 1 + static_cast<unsigned>(block.order_of(block.phases * kWarpSize + warp) %
                                           (kWarpSize - 1));
    block.begin_phase(worker, warp, block.warps[warp].runnable(), first);
    return true;
  }

  bool plain_;
  unsigned turn_ = 0, first_warp_ = 0;
};

/// Any lane that can run, one at a time.
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

  // Lanes that come later should sometimes be in the mask, too.
  bool answers_active_mask(Block& block, const Warp& warp) override {
    constexpr std::uint64_t kPatience = 4;
    return !warp.runnable() || block.random() % kPatience == 0;
  }

 private:
  std::uint64_t choices_ = 0;
};

/// Lanes of a warp from access to access together, as on devices before Volta: of those that have
/// parted, the ones that are furthest behind in the source go on, until they meet the others.
class InLockstep : public Order {
 public:
  void begin(const Block&) override { steps_ = 0; }

  bool begin_phase(Worker& worker, Block& block) override {
    constexpr std::uint64_t kRound = 65536;
    if (++steps_ % kRound == 0) return false;
    for (std::size_t tries = 0; tries < block.warps.size(); ++tries) {
      const auto w = static_cast<unsigned>((steps_ + tries) % block.warps.size());
      if (block.warps[w].at(Meeting::mbarrier))
        kind_of(Meeting::mbarrier).after_phase(worker, block, w);
      if (!block.warps[w].runnable()) continue;
      block.begin_phase(worker, w, next_lanes(block.warps[w]), 0);
      return true;
    }
    return false;
  }

  bool answers_active_mask(Block&, const Warp&) override { return true; }

 private:
  std::uint32_t next_lanes(const Warp& warp) {
    // Lanes that wait for others in a loop must let them come.
    constexpr std::uint64_t kPatience = 1024;
    if (warp.fresh != 0) return warp.fresh;
    if (steps_ % kPatience == 0) return warp.runnable();
    std::uint64_t least = ~std::uint64_t{0};
    std::uint32_t lanes = 0;
    for (std::uint32_t left = warp.runnable(); left != 0; left &= left - 1) {
      const std::uint64_t next =
          place_of(warp.lanes[static_cast<unsigned>(std::countr_zero(left))].next_access);
      if (next < least) lanes = 0;
      least = std::min(least, next);
      if (next == least) lanes |= left & (~left + 1);
    }
    return lanes;
  }

  /// Where in the source an access stands. The compiler may put a branch behind what follows it.
  std::uint64_t place_of(std::uintptr_t access) {
    const auto [place, is_new] = places_.try_emplace(access, access);
    constexpr int kMostLines = 1 << 16;
    if (is_new && access != 0)
      place->second |= static_cast<std::uint64_t>(std::min(source_place(access).line, kMostLines))
                       << kPartShift;
    return place->second;
  }

  std::uint64_t steps_ = 0;
  std::unordered_map<std::uintptr_t, std::uint64_t> places_;  // by access
};

}  // namespace

std::unique_ptr<Order> Order::of(const Launch& launch) {
  if (launch.lockstep) return std::make_unique<InLockstep>();
  if (launch.preempted) return std::make_unique<AtRandom>();
  return std::make_unique<InTurn>(launch.checked && launch.seed == 0);
}

}  // namespace emu
