#include "course/backend.hpp"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "common/device_for_test.hpp"
#include "course/device_buffer.hpp"
#include "course/events.hpp"

TEST_CASE("a back end times or counts, never both") {
  const course::Backend& backend = course::backend();
  CHECK((backend.name == "cuda" || backend.name == "emulator"));
  CHECK(backend.reports_time == (backend.name == "cuda"));
  CHECK(backend.reports_counters == !backend.reports_time);
}

TEST_CASE("a default follows the back end") {
  const int n = course::default_for({.counting = 1, .timing = 2});
  CHECK(n == (course::backend().reports_time ? 2 : 1));
  CHECK(course::default_for<double>({.counting = 0.5, .timing = 0.5}) == 0.5);
}

TEST_CASE("the device describes itself") {
  REQUIRE_DEVICE();
  const course::Device device = course::current_device();
  CHECK_FALSE(device.name.empty());
  CHECK(device.multiprocessors > 0);
  CHECK(device.compute_major >= 7);
  CHECK(device.memory_bytes > 0);
  CHECK(device.l2_bytes > 0);
  CHECK(device.clock_hz > 1e8);
}

TEST_CASE("counting no launch gives zeros, or nothing where nothing is counted") {
  REQUIRE_DEVICE();
  const auto counters = course::count([] {});
  CHECK(counters.has_value() == course::backend().reports_counters);
  if (counters) CHECK(*counters == course::Counters{});
}

TEST_CASE("a piece of work does what its launches do, each time it is started") {
  REQUIRE_DEVICE();
  constexpr int kTimes = 3;
  course::DeviceBuffer<unsigned char> bytes(kTimes);
  const course::Stream stream;
  int launches = 0;
  const auto fill = course::as_one_piece(
      [&](cudaStream_t on) {
        const int i = launches++ % kTimes;
        course::check(cudaMemsetAsync(bytes.data() + i, i + 1, 1, on));
      },
      kTimes, stream.get());
  for (int i = 0; i < 2; ++i) {
    bytes.poison();
    course::synchronize();
    fill();
    stream.synchronize();
    CHECK(bytes.to_host() == std::vector<unsigned char>{1, 2, 3});
  }
  CHECK_THROWS_AS(
      course::as_one_piece([](cudaStream_t) { throw std::runtime_error("no"); }, 1, stream.get())(),
      std::runtime_error);
}
