#pragma once

/// @file
/// Handles Ctrl-C during a check.

#include <atomic>
#include <stop_token>
#include <thread>

#include "tools/coursework/check/signals.hpp"

namespace coursework {

/// During its lifetime, a signal that would end the program requests a stop instead, so that the
/// check can end its kernel and remove its folder.
class Interruption {
 public:
  Interruption();
  ~Interruption();

  std::stop_token token() const { return stop_.get_token(); }
  /// Returns the signal received, or 0.
  int signal() const { return signal_; }

 private:
  Signals signals_;
  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  int ended_;  // event descriptor that ends the thread
  std::thread thread_;
};

}  // namespace coursework
