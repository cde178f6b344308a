#include "course/timing.hpp"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "common/device_for_test.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"

using course::measure;
using course::measure_in_turn;
using course::summarize_ms;
using course::TimeSummary;

TEST_CASE("median, least and greatest") {
  CHECK(summarize_ms(std::vector{5.0}) ==
        TimeSummary{.median_ms = 5.0, .min_ms = 5.0, .max_ms = 5.0, .runs = 1});
  CHECK(summarize_ms(std::vector{9.0, 1.0, 2.0}) ==
        TimeSummary{.median_ms = 2.0, .min_ms = 1.0, .max_ms = 9.0, .runs = 3});
  CHECK(summarize_ms(std::vector{4.0, 1.0, 3.0, 100.0}) ==
        TimeSummary{.median_ms = 3.5, .min_ms = 1.0, .max_ms = 100.0, .runs = 4});
  CHECK(summarize_ms(std::vector{2.0, 2.0}) ==
        TimeSummary{.median_ms = 2.0, .min_ms = 2.0, .max_ms = 2.0, .runs = 2});
  CHECK(summarize_ms(std::vector{0.0}).median_ms == 0.0);
}

TEST_CASE("what is not a time is refused") {
  CHECK_THROWS_AS(summarize_ms({}), std::invalid_argument);
  CHECK_THROWS_AS(summarize_ms(std::vector{1.0, -1.0}), std::invalid_argument);
  CHECK_THROWS_AS(summarize_ms(std::vector{std::numeric_limits<double>::quiet_NaN()}),
                  std::invalid_argument);
  CHECK_THROWS_AS(summarize_ms(std::vector{std::numeric_limits<double>::infinity()}),
                  std::invalid_argument);
}

TEST_CASE("a launch is prepared and run as often as it should be") {
  REQUIRE_DEVICE();
  int launches = 0;
  int prepared = 0;
  bool in_turn = true;
  const auto time = measure(
      {.repeat = 5, .warm_up = 2, .flush_l2 = false}, [&] { ++launches; },
      [&] { in_turn = in_turn && prepared++ == launches; });
  CHECK(in_turn);
  CHECK(prepared == launches);
  if (course::backend().reports_time) {
    CHECK(launches == 7);
    REQUIRE(time.has_value());
    CHECK(time->runs == 5);
    CHECK(time->min_ms <= time->median_ms);
    CHECK(time->median_ms <= time->max_ms);
  } else {
    CHECK(launches == 1);
    CHECK_FALSE(time.has_value());
  }
}

TEST_CASE("more work takes longer, with a cold and with a warm L2") {
  REQUIRE_DEVICE();
  if (!course::backend().reports_time) return;
  course::DeviceBuffer<char> buffer(std::size_t{256} << 20);
  for (const bool flush_l2 : {false, true}) {
    const auto time_of = [&](std::size_t bytes) {
      return measure({.repeat = 5, .warm_up = 1, .flush_l2 = flush_l2},
                     [&] { course::check(cudaMemsetAsync(buffer.data(), 0, bytes, nullptr)); })
          ->median_ms;
    };
    CHECK(time_of(buffer.size()) > 2 * time_of(buffer.size() / 16));
  }
}

TEST_CASE("errors of the launch are thrown, bad counts refused") {
  REQUIRE_DEVICE();
  CHECK_THROWS_AS(measure({}, [] { throw std::runtime_error("no"); }), std::runtime_error);
  int on_the_host = 0;
  CHECK_THROWS_AS(measure({}, [&] { cudaFree(&on_the_host); }), course::CudaError);
  CHECK_THROWS_AS(measure({.repeat = 0}, [] {}), std::invalid_argument);
  CHECK_THROWS_AS(measure({.repeat = 1, .warm_up = -1}, [] {}), std::invalid_argument);
}

TEST_CASE("launches in turn: each is run, short ones many times in a row, and each has its time") {
  REQUIRE_DEVICE();
  course::DeviceBuffer<char> buffer(std::size_t{64} << 20);
  const auto fill = [&](std::size_t bytes, int* launches) {
    return [&buffer, bytes, launches](cudaStream_t stream) {
      ++*launches;
      course::check(cudaMemsetAsync(buffer.data(), 0, bytes, stream));
    };
  };
  int shorter = 0, longer = 0;
  const auto times =
      measure_in_turn({.repeat = 4}, {fill(1, &shorter), fill(buffer.size(), &longer)});
  if (!course::backend().reports_time) {
    CHECK(shorter == 1);
    CHECK(longer == 1);
    CHECK_FALSE(times.has_value());
    return;
  }
  // Two runs to estimate the time, then the runs of a piece.
  constexpr int kMostInARow = 50;
  CHECK(shorter == 2 + kMostInARow);
  REQUIRE(times.has_value());
  REQUIRE(times->size() == 2);
  CHECK((*times)[0].runs == 4);
  CHECK((*times)[1].median_ms > 2 * (*times)[0].median_ms);
  // A fill of one byte, without the host's overhead of launching.
  CHECK((*times)[0].median_ms < 0.004);
}

TEST_CASE("launches in turn: with a repeat of 1, each is started alone") {
  REQUIRE_DEVICE();
  int launches = 0;
  const auto times = measure_in_turn({.repeat = 1}, {[&](cudaStream_t) { ++launches; }});
  CHECK(launches == (course::backend().reports_time ? 3 : 1));
  CHECK(times.has_value() == course::backend().reports_time);
  CHECK_THROWS_AS(measure_in_turn({.repeat = 0}, {}), std::invalid_argument);
  CHECK_THROWS_AS(
      measure_in_turn({.repeat = 2}, {[](cudaStream_t) { throw std::runtime_error("no"); }}),
      std::runtime_error);
}
