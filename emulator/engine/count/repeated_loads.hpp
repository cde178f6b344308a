/// @file
/// Loads from global memory that a compiler may leave out: the thread has loaded the same bytes
/// before, and nothing has written there since. Whether g++ leaves one out says nothing about nvcc,
/// which unrolls more, and knows of `const __restrict__` what g++ does not. So a profile counts
/// them apart.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "engine/count/phase_rows.hpp"

namespace emu {

/// Looks at whole rows: all lanes of one must load again what the same lanes have loaded together.
/// Writes of other blocks are not seen, and within a phase those off the common path count as made
/// at its begin.
class RepeatedLoads {
 public:
  /// Lanes of a warp have done what they could; adds to the counters of the rows' sites.
  void end_phase(std::uint64_t block, unsigned warp, PhaseRows& rows);
  /// Before a block and after it.
  void forget(std::uint64_t block) { blocks_.erase(block); }

 private:
  using Time = std::uint64_t;
  struct Block {
    std::unordered_map<std::uint64_t, Time> loaded;    // by warp, lanes and addresses: the hash
    std::unordered_map<std::uintptr_t, Time> written;  // by sector
    Time now = 0, last_write = 0;
  };

  static void note_write(Block& block, const Row& row, std::uint32_t lanes);
  static bool is_repeated(Block& block, unsigned warp, const Row& row, std::uint32_t lanes);

  std::unordered_map<std::uint64_t, Block> blocks_;
};

}  // namespace emu
