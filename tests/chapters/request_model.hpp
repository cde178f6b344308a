#pragma once

/// @file
/// The rules of coalescing in thirty lines, which give the expected cost of a kernel's accesses.

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "course/counters.hpp"

namespace course_test {

using course::kWarpSize;

constexpr int kSectorFloats = course::kSectorBytes / static_cast<int>(sizeof(float));

/// Adds up requests as the hardware serves them, from the addresses that a request's lanes touch.
///
/// Addresses are bytes from the start of a buffer; every buffer starts at a line.
class RequestModel {
 public:
  /// Adds one warp-level instruction; each active lane touches `width` bytes at index x width.
  /// Without active lanes, there is no request.
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

/// Calls `warp(first, lanes)` for every warp of a launch with `threads` threads per block and `n`
/// active threads: `first` is the warp's first thread in the grid, `lanes` its number of threads.
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
