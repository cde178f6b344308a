/// @file
/// Runs a launch again in other orders, and compares the results in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/engine.hpp"

namespace emu {

/// The contents of device memory before a launch, and the comparison after it.
class Schedules {
 public:
  Schedules();  ///< call before the launch

  /// Runs `launch` `count` times from the same memory, with seeds from `seed` + 1 on. Reports where
  /// results differ from those in memory now, and restores these. `run` returns false if the launch
  /// failed. A launch that allocates memory is not repeated, because it would get other addresses.
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
