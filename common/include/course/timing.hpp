#pragma once

/// @file
/// Timing of kernels: warm-up, events, median of several launches, cold L2.

#include <functional>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include "course/events.hpp"

namespace course {

/// How to time a launch.
struct Timing {
  int repeat = 10;       ///< timed launches, at least 1
  int warm_up = 3;       ///< untimed launches before them
  bool flush_l2 = true;  ///< evict the data before each launch: for lessons about DRAM
};

/// The times of several launches of the same work.
struct TimeSummary {
  double median_ms = 0.0;
  double min_ms = 0.0;
  double max_ms = 0.0;
  int runs = 0;

  bool operator==(const TimeSummary&) const = default;
};

/// Returns the median (the mean of the middle two for an even number), the least and the greatest
/// time.
/// @throws std::invalid_argument if there is no time, or one that is negative or not finite
TimeSummary summarize_ms(std::span<const double> times_ms);

/// Runs `launch` with `before_each` ahead of every launch, outside the timed region.
///
/// Where the back end reports no time, both run once and nothing is returned. What the launches
/// queue on the default stream is timed; errors of the launches and of their kernels are thrown, as
/// if they came from `where`.
/// @throws CudaError, std::invalid_argument for a repeat below 1 or a negative warm-up
std::optional<TimeSummary> measure(const Timing& timing, const std::function<void()>& launch,
                                   const std::function<void()>& before_each = {},
                                   std::source_location where = std::source_location::current());

/// Times several launches in turn, one beside the other: for kernels so short that the host takes
/// longer to start one than it runs.
///
/// As many launches in a row as take some milliseconds are one piece of work (see as_one_piece()),
/// and the time of a piece is shared among them; with a repeat of 1, each is started alone. What
/// takes longer than 100 ms is timed kLongRepeat times at most. L2 is not flushed. Where the back
/// end reports no time, each runs once and nothing is returned.
/// @throws CudaError, std::invalid_argument for a repeat below 1
std::optional<std::vector<TimeSummary>> measure_in_turn(
    const Timing& timing, const std::vector<StreamLaunch>& launches,
    std::source_location where = std::source_location::current());

/// The most pieces of a long launch that measure_in_turn() times.
inline constexpr int kLongRepeat = 3;

}  // namespace course
