#pragma once

/// @file
/// What requests of warps cost, worked out on paper: for the bounds of requirements.

#include <cstdint>
#include <vector>

namespace coursework {

/// Adds up requests to arrays of 4-byte elements, each of which begins at a line.
///
///     PaperRequests loads;
///     for (int begin = 0; begin < n; begin += kWarpSize) {
///       for (int i = begin; i < std::min(begin + kWarpSize, n); ++i) loads.lane(i);
///       loads.end_request();
///     }
///     trial.set("sectors", loads.sectors());
class PaperRequests {
 public:
  /// A lane wants the element of this index.
  void lane(std::int64_t element) { elements_.push_back(element); }
  /// These lanes make a request, or so many that cost the same. None if there were no lanes.
  void end_request(std::int64_t times = 1);

  std::int64_t requests() const { return requests_; }
  std::int64_t sectors() const { return sectors_; }
  std::int64_t lines() const { return lines_; }
  /// Bytes that lanes want, each once per request.
  std::int64_t bytes() const { return bytes_; }

 private:
  std::vector<std::int64_t> elements_;
  std::int64_t requests_ = 0, sectors_ = 0, lines_ = 0, bytes_ = 0;
};

}  // namespace coursework
