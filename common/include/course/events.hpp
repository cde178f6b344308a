#pragma once

/// @file
/// CUDA events and streams that destroy themselves.

#include <cuda_runtime_api.h>

#include <functional>

namespace course {

/// A point in a stream's work, with a time.
class Event {
 public:
  Event();
  ~Event();
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream = nullptr);
  /// Waits until the work before the event is done.
  void synchronize() const;
  cudaEvent_t get() const noexcept { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Milliseconds from `start` to `stop`, both recorded; waits for `stop`.
double elapsed_ms(const Event& start, const Event& stop);

/// Work that runs in order.
class Stream {
 public:
  Stream();
  ~Stream();
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void synchronize() const;
  cudaStream_t get() const noexcept { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Starts work on the stream that it is given.
using StreamLaunch = std::function<void(cudaStream_t)>;

}  // namespace course
