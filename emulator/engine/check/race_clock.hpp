/// @file
/// A vector clock for happens-before relations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace emu {

/// A vector clock. For each thread it has a segment: the thread's accesses in earlier segments
/// happen before the owner of the clock. Behind the threads come the block's mbarriers: how many
/// copies of each are known to be complete.
class Clock {
 public:
  bool empty() const { return points_.empty(); }
  /// Returns the entry; 0: nothing is known.
  std::uint32_t operator[](std::size_t index) const {
    return index < points_.size() ? points_[index] : 0;
  }
  void raise(std::size_t index, std::uint32_t point) {
    if (points_.size() <= index) points_.resize(index + 1);
    points_[index] = std::max(points_[index], point);
  }
  /// Raises every entry to at least that of `other`.
  void join(const Clock& other) {
    if (points_.size() < other.points_.size()) points_.resize(other.points_.size());
    for (std::size_t i = 0; i < other.points_.size(); ++i)
      points_[i] = std::max(points_[i], other.points_[i]);
  }
  void clear() { points_.clear(); }

 private:
  std::vector<std::uint32_t> points_;
};

}  // namespace emu
