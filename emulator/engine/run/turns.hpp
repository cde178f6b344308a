/// @file
/// Lets several blocks of a pre-empted launch be under way: one worker runs at a time, and a seed
/// decides which.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace emu {

class Turns {
 public:
  /// Worker 0 begins.
  Turns(unsigned workers, std::uint64_t seed);

  /// Returns when it is the worker's turn.
  void await(unsigned worker);
  /// Its turn may be over: if so, returns at its next one.
  void pass_sometimes(unsigned worker);
  /// There will be no more turns for it.
  void leave(unsigned worker);

 private:
  void choose();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<unsigned> left_;  // the workers that have not left
  unsigned turn_ = 0;
  std::uint64_t random_state_;
  std::uint64_t passes_ = 0;
};

}  // namespace emu
