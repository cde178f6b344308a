#pragma once

/// @file
/// The rules of coalescing in thirty lines: what a test expects a kernel's accesses to cost.

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "course/counters.hpp"

namespace course_test {

using course::kWarpSize;

constexpr int kSectorFloats = course::kSectorBytes / static_cast<int>(sizeof(float));

/// Adds up requests as the hardware serves them, from the addresses that each one's lanes touch.
///
/// Addresses are bytes from the start of a buffer; every buffer starts on a line.
class RequestModel {
 public:
  /// One warp-level instruction, each of its active lanes touching `width` bytes at an element's
  /// index x width; none at all if no lane is active.
  void request(const std::vector<std::int64_t>& elements, int width) {
    if (elements.empty()) return;
    std::set<std::int64_t> bytes, sectors, lines;
    for (const std::int64_t element : elements) {
      for (std::int64_t byte = element * width; byte < (element + 1) * width; ++byte) {
        bytes.insert(byte);
        sectors.insert(byte / course::kSectorBytes);
        lines.insert(byte / course::kLineBytes);
      }
    }
    ++counters_.requests;
    counters_.bytes += bytes.size();
    counters_.sectors += sectors.size();
    counters_.lines += lines.size();
    lanes_ += elements.size();
  }

  const course::GlobalCounters& counters() const { return counters_; }
  std::uint64_t lanes() const { return lanes_; }

 private:
  course::GlobalCounters counters_;
  std::uint64_t lanes_ = 0;
};

/// Calls `warp(first, lanes)` for every warp of a launch: `first` is the number of its first thread
/// in the grid, `lanes` how many threads it has, with `threads` per block and `n` threads at work.
template <class Warp>
void for_each_warp(int n, int threads, Warp warp) {
  for (int block = 0; block < n; block += threads) {
    for (int thread = 0; thread < threads && block + thread < n; thread += kWarpSize) {
      int lanes = threads - thread < kWarpSize ? threads - thread : kWarpSize;
      if (lanes > n - block - thread) lanes = n - block - thread;
      warp(block + thread, lanes);
    }
  }
}

}  // namespace course_test
