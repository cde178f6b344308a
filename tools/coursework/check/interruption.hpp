#pragma once

/// @file
/// Ctrl-C while an answer is being checked.

#include <atomic>
#include <stop_token>
#include <thread>

#include "tools/coursework/check/signals.hpp"

namespace coursework {

/// While it lives, a signal that would end the program asks for a stop instead, so that nothing is
/// left behind: no kernel that runs on, no folder.
class Interruption {
 public:
  Interruption();
  ~Interruption();

  std::stop_token token() const { return stop_.get_token(); }
  /// The signal that has come, or 0.
  int signal() const { return signal_; }

 private:
  Signals signals_;
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  int ended_;  // an event for the thread
  std::thread thread_;
};

}  // namespace coursework
