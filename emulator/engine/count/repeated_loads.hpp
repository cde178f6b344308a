/// @file
/// Detects repeated loads from global memory: the thread has loaded the same bytes before, and
/// nothing has written to them since. A compiler may leave such a load out. Whether g++ does says
/// nothing about nvcc, which unrolls more and knows more of `const __restrict__`. So a profile
/// counts these loads separately.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "engine/count/phase_rows.hpp"

namespace emu {

/// Compares whole requests: one is repeated if the same lanes have loaded the same addresses
/// together before. Writes of other blocks are ignored, and accesses off the common path count as
/// made when the phase begins.
class RepeatedLoads {
 public:
  /// Adds the repeated loads of the phase to the counters of their instructions.
  void end_phase(std::uint64_t block, unsigned warp, PhaseRows& rows);
  /// Forgets the loads of a block, before it begins and after it.
  void forget(std::uint64_t block) { blocks_.erase(block); }

 private:
  using Time = std::uint64_t;
  struct Block {
    std::unordered_map<std::uint64_t, Time> loaded;    // by a hash of warp, lanes and addresses
    std::unordered_map<std::uintptr_t, Time> written;  // by sector
    Time now = 0, last_write = 0;
  };

  static void note_write(Block& block, const Row& row, std::uint32_t lanes);
  static bool is_repeated(Block& block, unsigned warp, const Row& row, std::uint32_t lanes);

  std::unordered_map<std::uint64_t, Block> blocks_;
};

}  // namespace emu
