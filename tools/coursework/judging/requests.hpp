#pragma once

/// @file
/// Computes the cost of warps' requests without running a kernel, for the bounds of requirements.

#include <cstdint>
#include <vector>

namespace coursework {

/// Adds up requests to arrays of 4-byte elements; each array begins at a cache line.
///
///     PaperRequests loads;
///     for (int begin = 0; begin < n; begin += kWarpSize) {
///       for (int i = begin; i < std::min(begin + kWarpSize, n); ++i) loads.lane(i);
///       loads.end_request();
///     }
///     trial.set("sectors", loads.sectors());
class PaperRequests {
 public:
  /// Adds a lane that accesses the element with this index.
  void lane(std::int64_t element) { elements_.push_back(element); }
  /// Ends a request of the lanes added so far, or `times` requests that cost the same. Without
  /// lanes, counts nothing.
  void end_request(std::int64_t times = 1);

  std::int64_t requests() const { return requests_; }
  std::int64_t sectors() const { return sectors_; }
  std::int64_t lines() const { return lines_; }
  /// Returns the bytes that lanes access; a byte counts once per request.
  std::int64_t bytes() const { return bytes_; }

 private:
  std::vector<std::int64_t> elements_;
  std::int64_t requests_ = 0, sectors_ = 0, lines_ = 0, bytes_ = 0;
};

}  // namespace coursework
