/// @file
/// What a launch has overwritten, in case it has to run again.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "engine/check/shadow.hpp"

namespace emu {

class Undo {
 public:
  Undo();
  ~Undo();
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

  /// A lane is about to write there, to memory that outlives its block.
  void about_to_write(std::uintptr_t begin, std::size_t bytes);
  /// Everything is again as it was. Nobody writes any more.
  void restore();

 private:
  enum State : std::uint8_t { untouched, is_being_saved, saved };
  struct Page {
    std::uintptr_t begin;
    std::array<char, kPageBytes> bytes;
  };

  void save_page(std::atomic<State>& state, std::uintptr_t begin);
  void save_elsewhere(std::uintptr_t address);

  std::mutex mutex_;
  std::deque<Page> pages_;                                 // of the arena
  std::map<std::uintptr_t, std::vector<char>> elsewhere_;  // variables and host memory, by begin
};

}  // namespace emu
