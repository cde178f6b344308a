#include "course/events.hpp"

#include <utility>

#include "course/error.hpp"

namespace course {

Event::Event() { check(cudaEventCreate(&event_)); }

Event::~Event() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

Event::Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(event_, other.event_);
  return *this;
}

void Event::record(cudaStream_t stream) { check(cudaEventRecord(event_, stream)); }

void Event::synchronize() const { check(cudaEventSynchronize(event_)); }

double elapsed_ms(const Event& start, const Event& stop) {
  stop.synchronize();
  float ms = 0.0f;
  check(cudaEventElapsedTime(&ms, start.get(), stop.get()));
  return ms;
}

Stream::Stream() { check(cudaStreamCreate(&stream_)); }

Stream::~Stream() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

Stream::Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(stream_, other.stream_);
  return *this;
}

void Stream::synchronize() const { check(cudaStreamSynchronize(stream_)); }

}  // namespace course
