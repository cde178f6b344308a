/// @file
/// In which order the lanes of a block have their turns.
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
  /// The order that the launch asks for: plain, by its seed, or pre-empted.
  static std::unique_ptr<Order> of(const Launch& launch);
  virtual ~Order() = default;

  /// A block begins.
  virtual void begin(const Block& block) = 0;
  /// Begins the next phase.
  /// @return false if a round is over: everybody who can run has had a turn
  virtual bool begin_phase(Worker& worker, Block& block) = 0;
  /// Whether __activemask() answers those of the warp's lanes that are there now.
  virtual bool answers_active_mask(Block& block, const Warp& warp) = 0;
};

}  // namespace emu
