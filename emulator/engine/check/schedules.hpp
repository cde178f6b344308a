/// @file
/// Runs a launch again in other orders, and compares what it leaves in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/engine.hpp"

namespace emu {

/// Device memory as a launch finds it, and the comparison afterwards.
class Schedules {
 public:
  Schedules();  ///< before the launch

  /// Runs `launch` `count` times with seeds from `seed` + 1 on, each from the same memory, and
  /// reports what differs from the result that is there now, which is there again afterwards.
  /// `run` returns false if the launch failed. A launch that allocates memory does not run again:
  /// it would find other addresses.
  void compare(const Launch& launch, unsigned count,
               const std::function<bool(const Launch&)>& run) const;

 private:
  struct Piece {
    char* begin;
    std::vector<char> bytes;
  };
  using Memory = std::vector<Piece>;
  static Memory copy_of_memory();
  static void restore(const Memory& memory);

  Memory before_;
  std::uint64_t heap_uses_ = 0;
};

}  // namespace emu
