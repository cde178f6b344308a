#include "course/timing.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/events.hpp"

namespace course {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{4} << 20;

/// Empties L2 of what a launch would like to find there, and gives the device something to do.
///
/// Reads three times as much as L2 holds. Reads, because lines that were written would be written
/// back while the clock runs: after a flush by cudaMemset, reading 64 MiB on an H200 took 24.8 us
/// rather than 18.7. The copies all end in one chunk, so that little of L2 is dirty after them.
class L2Flush {
 public:
  L2Flush()
      : source_(kTimesL2 * current_device().l2_bytes, "the buffer that flushes L2"),
        sink_(kChunkBytes, "the buffer that flushes L2") {}

  void operator()() {
    const auto* source = static_cast<const std::byte*>(source_.data());
    for (std::size_t done = 0; done < source_.size_bytes(); done += kChunkBytes) {
      const std::size_t bytes = std::min(kChunkBytes, source_.size_bytes() - done);
      check(cudaMemcpyAsync(sink_.data(), source + done, bytes, cudaMemcpyDeviceToDevice, nullptr));
    }
  }

 private:
  static constexpr std::size_t kTimesL2 = 3;

  DeviceBytes source_;
  DeviceBytes sink_;
};

/// Keeps the device busy while the host queues a launch between its two events.
///
/// Otherwise the device waits between them for the host: an empty kernel on an H200 took 4.9 us by
/// its events rather than 2.8.
class BusyWork {
 public:
  BusyWork() : bytes_(std::size_t{1} << 20, "a buffer to keep the device busy") {}

  void operator()() {
    constexpr int kFills = 4;
    for (int i = 0; i < kFills; ++i) bytes_.poison();
  }

 private:
  DeviceBytes bytes_;
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
                                   const std::function<void()>& before_each,
                                   std::source_location where) {
  if (timing.repeat < 1) throw std::invalid_argument("a kernel is timed at least once");
  if (timing.warm_up < 0)
    throw std::invalid_argument("a number of warm-up launches is not negative");

  const auto prepare = [&] {
    if (before_each) before_each();
  };
  if (!backend().reports_time) {
    prepare();
    launch();
    check_launch(where);
    synchronize(where);
    return std::nullopt;
  }

  for (int i = 0; i < timing.warm_up; ++i) {
    prepare();
    launch();
    check_launch(where);
  }
  synchronize(where);

  std::optional<L2Flush> flush;
  std::optional<BusyWork> busy;
  if (timing.flush_l2) {
    flush.emplace();
  } else {
    busy.emplace();
  }
  Event start;
  Event stop;
  std::vector<double> times_ms;
  times_ms.reserve(static_cast<std::size_t>(timing.repeat));
  for (int i = 0; i < timing.repeat; ++i) {
    prepare();
    if (flush) (*flush)();
    if (busy) (*busy)();
    start.record();
    launch();
    check_launch(where);
    stop.record();
    check(cudaEventSynchronize(stop.get()), where);
    times_ms.push_back(elapsed_ms(start, stop));
  }
  synchronize(where);
  return summarize_ms(times_ms);
}

}  // namespace course
