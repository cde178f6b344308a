#include "course/events.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "common/device_for_test.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"

TEST_CASE("time passes between events, on the default stream and on another") {
  REQUIRE_DEVICE();
  course::Stream stream;
  course::DeviceBuffer<char> buffer(1 << 20);
  for (const cudaStream_t each : {cudaStream_t{nullptr}, stream.get()}) {
    course::Event start;
    course::Event stop;
    start.record(each);
    course::check(cudaMemsetAsync(buffer.data(), 0, buffer.size(), each));
    stop.record(each);
    CHECK(course::elapsed_ms(start, stop) >= 0.0);
  }
  stream.synchronize();
}

TEST_CASE("the time of an event that was not recorded is an error") {
  REQUIRE_DEVICE();
  const course::Event start;
  const course::Event stop;
  CHECK_THROWS_AS(course::elapsed_ms(start, stop), course::CudaError);
}

TEST_CASE("events and streams move") {
  REQUIRE_DEVICE();
  course::Event first;
  const cudaEvent_t event = first.get();
  course::Event second(std::move(first));
  CHECK(second.get() == event);
  course::Event third;
  third = std::move(second);
  CHECK(third.get() == event);
  third.record();
  third.synchronize();

  course::Stream stream;
  const cudaStream_t handle = stream.get();
  course::Stream moved(std::move(stream));
  CHECK(moved.get() == handle);
  moved.synchronize();
}
