/// @file
/// Saves what a launch overwrites, in case it has to run again.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "engine/check/shadow.hpp"

namespace emu {

class Undo {
 public:
  /// Saves the range before a lane writes to it. For memory that outlives the block.
  void about_to_write(std::uintptr_t begin, std::size_t bytes);
  /// Restores everything that was overwritten. No thread may be writing any more.
  void restore();
  /// Drops what was saved.
  void forget();

 private:
  struct Page {
    std::uintptr_t begin;
    std::array<char, kPageBytes> bytes;
  };

  Page& take_page();
  void save_page(std::uintptr_t begin);
  void save_outside_arena(std::uintptr_t address);

  std::mutex mutex_;
  std::deque<Page> pages_;  // saved pages of the arena; reused by later launches
  std::size_t used_ = 0;    // number of entries of pages_ in use
  std::map<std::uintptr_t, std::vector<char>>
      outside_arena_;  // variables and host memory, by address
};

}  // namespace emu
