/// @file
/// The order in which the lanes of a block take turns.
#pragma once

#include <cstdint>
#include <memory>

namespace emu {

struct Block;
struct Launch;
class Worker;
struct Warp;

class Order {
 public:
  /// Returns the order that the launch asks for: the usual one, a random one (pre-empted), or
  /// lockstep.
  static std::unique_ptr<Order> of(const Launch& launch);
  virtual ~Order() = default;

  /// Called when a block begins.
  virtual void begin(const Block& block) = 0;
  /// Begins the next phase.
  /// @return false if a round is over: every lane that can run has had a turn
  virtual bool begin_phase(Worker& worker, Block& block) = 0;
  /// Returns whether __activemask() may answer with the lanes of the warp that have come so far.
  virtual bool answers_active_mask(Block& block, const Warp& warp) = 0;
};

}  // namespace emu
