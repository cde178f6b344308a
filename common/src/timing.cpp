#include "course/timing.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/events.hpp"

namespace course {
namespace {

/// Memory to overwrite so that nothing else is left in L2; null if none is to be flushed.
///
/// Its dirty lines are written back while the timed kernel runs: at most L2's size, which lessons
/// about DRAM dwarf.
class L2Flush {
 public:
  explicit L2Flush(bool wanted)
      : buffer_(wanted ? 2 * current_device().l2_bytes : 0, "the buffer that flushes L2") {}

  void operator()() { buffer_.poison(); }

 private:
  DeviceBytes buffer_;
};

}  // namespace

TimeSummary summarize_ms(std::span<const double> times_ms) {
  if (times_ms.empty()) throw std::invalid_argument("no times to summarise");
  std::vector<double> sorted(times_ms.begin(), times_ms.end());
  for (const double ms : sorted) {
    if (!(ms >= 0.0) || !std::isfinite(ms)) {
      throw std::invalid_argument("a time is negative or not a number");
    }
  }
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  const bool is_odd = sorted.size() % 2 == 1;
  return {.median_ms = is_odd ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0,
          .min_ms = sorted.front(),
          .max_ms = sorted.back(),
          .runs = static_cast<int>(sorted.size())};
}

std::optional<TimeSummary> measure(const Timing& timing, const std::function<void()>& launch,
                                   const std::function<void()>& before_each) {
  if (timing.repeat < 1) throw std::invalid_argument("a kernel is timed at least once");
  if (timing.warm_up < 0)
    throw std::invalid_argument("a number of warm-up launches is not negative");

  const auto prepare = [&] {
    if (before_each) before_each();
  };
  if (!backend().reports_time) {
    prepare();
    launch();
    check_launch();
    synchronize();
    return std::nullopt;
  }

  for (int i = 0; i < timing.warm_up; ++i) {
    prepare();
    launch();
    check_launch();
  }
  synchronize();

  L2Flush flush(timing.flush_l2);
  Event start;
  Event stop;
  std::vector<double> times_ms;
  times_ms.reserve(static_cast<std::size_t>(timing.repeat));
  for (int i = 0; i < timing.repeat; ++i) {
    prepare();
    flush();
    start.record();
    launch();
    check_launch();
    stop.record();
    times_ms.push_back(elapsed_ms(start, stop));
  }
  synchronize();
  return summarize_ms(times_ms);
}

}  // namespace course
