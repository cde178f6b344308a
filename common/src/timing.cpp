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

namespace {

/// Launches of one kernel on a stream, in pieces of as many launches as can be timed together.
class Contender {
 public:
  /// Launches once, to warm up and to see how long it takes.
  Contender(const StreamLaunch& launch, const Stream& stream, int repeat,
            std::source_location where) {
    constexpr double kPieceMs = 4.0;
    constexpr double kLongMs = 100.0;
    constexpr int kMostInARow = 50;
    const auto start_once = [launch, where, on = stream.get()] {
      launch(on);
      check_launch(where);
    };
    start_once();
    stream.synchronize();
    const double once_ms = time_of(start_once, stream);
    if (once_ms > kLongMs) repeat = std::min(repeat, kLongRepeat);
    left_ = repeat;
    if (repeat > 1)
      in_a_row_ = static_cast<int>(std::clamp(kPieceMs / once_ms, 1.0, 1.0 * kMostInARow));
    piece_ = in_a_row_ > 1 ? as_one_piece(launch, in_a_row_, stream.get()) : start_once;
    if (in_a_row_ > 1) piece_();
  }

  bool is_done() const { return left_ == 0; }

  void time(const Stream& stream) {
    times_ms_.push_back(time_of(piece_, stream) / in_a_row_);
    --left_;
  }

  TimeSummary summary() const { return summarize_ms(times_ms_); }

 private:
  static double time_of(const std::function<void()>& work, const Stream& stream) {
    Event start, stop;
    start.record(stream.get());
    work();
    stop.record(stream.get());
    return elapsed_ms(start, stop);
  }

  std::function<void()> piece_;
  int in_a_row_ = 1;
  int left_ = 0;
  std::vector<double> times_ms_;
};

}  // namespace

std::optional<std::vector<TimeSummary>> measure_in_turn(const Timing& timing,
                                                        const std::vector<StreamLaunch>& launches,
                                                        std::source_location where) {
  if (timing.repeat < 1) throw std::invalid_argument("a kernel is timed at least once");
  if (!backend().reports_time) {
    for (const StreamLaunch& launch : launches) launch(nullptr);
    check_launch(where);
    synchronize(where);
    return std::nullopt;
  }
  const Stream stream;
  std::vector<Contender> contenders;
  for (const StreamLaunch& launch : launches)
    contenders.emplace_back(launch, stream, timing.repeat, where);
  while (!std::ranges::all_of(contenders, &Contender::is_done))
    for (Contender& contender : contenders)
      if (!contender.is_done()) contender.time(stream);
  synchronize(where);
  std::vector<TimeSummary> summaries;
  for (const Contender& contender : contenders) summaries.push_back(contender.summary());
  return summaries;
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
