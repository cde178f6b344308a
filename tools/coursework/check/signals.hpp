#pragma once

/// @file
/// Signals as something to wait for beside keys and files.

#include <vector>

namespace coursework {

/// While it lives, these signals do nothing but become readable here. There is one at a time.
///
/// Programs that are started meanwhile do not inherit any of this.
class Signals {
 public:
  explicit Signals(std::vector<int> signals);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  int descriptor() const;
  /// Those that have come since, in their order.
  std::vector<int> take();

 private:
  std::vector<int> signals_;
};

}  // namespace coursework
