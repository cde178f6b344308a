/// @file
/// What somebody knows to be over, thread by thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace emu {

/// For each thread of a block a segment: its accesses in earlier ones are over. Behind the threads
/// stand the block's mbarriers: so many of each one's copies have come.
class Clock {
 public:
  bool empty() const { return points_.empty(); }
  /// 0: nothing is known.
  std::uint32_t operator[](std::size_t index) const {
    return index < points_.size() ? points_[index] : 0;
  }
  void raise(std::size_t index, std::uint32_t point) {
    if (points_.size() <= index) points_.resize(index + 1);
    points_[index] = std::max(points_[index], point);
  }
  /// Knows what the other one knows, too.
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
