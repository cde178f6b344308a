/// @file
/// What a launch has overwritten, in case it has to run again.
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
  /// A lane is about to write there, to memory that outlives its block.
  void about_to_write(std::uintptr_t begin, std::size_t bytes);
  /// Everything is again as it was. Nobody writes any more.
  void restore();
  /// What was overwritten need not come back.
  void forget();

 private:
  struct Page {
    std::uintptr_t begin;
    std::array<char, kPageBytes> bytes;
  };

  Page& take_page();
  void save_page(std::uintptr_t begin);
  void save_elsewhere(std::uintptr_t address);

  std::mutex mutex_;
  std::deque<Page> pages_;                                 // of the arena, used again and again
  std::size_t used_ = 0;                                   // of them
  std::map<std::uintptr_t, std::vector<char>> elsewhere_;  // variables and host memory, by begin
};

}  // namespace emu
