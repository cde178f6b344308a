#pragma once

/// @file
/// Makes signals readable from a descriptor, so that poll() can wait for them, keys and files.

#include <vector>

namespace coursework {

/// During its lifetime, these signals have no effect except that they become readable. At most one
/// object may exist.
///
/// Programs started meanwhile do not inherit this.
class Signals {
 public:
  explicit Signals(std::vector<int> signals);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  int descriptor() const;
  /// Returns the signals received since the last call, in order.
  std::vector<int> take();

 private:
  std::vector<int> signals_;
};

}  // namespace coursework
