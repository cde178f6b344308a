#include "course/limits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

using course::counted_violation;
using course::Device;
using course::DeviceLimits;
using course::MemoryLevel;
using course::physical_violation;
using course::Work;

namespace {

/// Returns the properties that an H200 reports.
Device h200() {
  return {.name = "NVIDIA H200",
          .multiprocessors = 132,
          .compute_major = 9,
          .compute_minor = 0,
          .memory_bytes = std::size_t{141} << 30,
          .l2_bytes = 62914560,
          .clock_hz = 1.98e9,
          .memory_clock_hz = 3.201e9,
          .memory_bus_bits = 6016};
}

/// Round numbers: 1 TB/s of DRAM, 4 TB/s of L2, 8 TB/s of L1, 10 TFLOP/s, 100 on tensor
/// cores, 10 MB of L2.
constexpr DeviceLimits kRound{.dram_bytes_per_s = 1e12,
                              .l2_bytes_per_s = 4e12,
                              .l1_bytes_per_s = 8e12,
                              .fp32_flop_per_s = 10e12,
                              .tensor_flop_per_s = 100e12,
                              .l2_bytes = 10'000'000};

bool is_possible(const Work& work, double seconds, bool l2_flushed = true,
                 const DeviceLimits& limits = kRound) {
  return !physical_violation(work, seconds, l2_flushed, limits).has_value();
}

}  // namespace

TEST_CASE("an H200's limits from its own description") {
  const DeviceLimits limits = course::nominal_limits(h200());
  CHECK(limits.dram_bytes_per_s == doctest::Approx(4.814e12).epsilon(0.001));
  CHECK(limits.fp32_flop_per_s == doctest::Approx(66.9e12).epsilon(0.001));
  CHECK(limits.l2_bytes_per_s == doctest::Approx(16.7e12).epsilon(0.01));
  CHECK(limits.l1_bytes_per_s == doctest::Approx(33.5e12).epsilon(0.01));
  CHECK(limits.l2_bytes == 62914560);
}

TEST_CASE("A100 and V100 have half the FP32 lanes") {
  Device device = h200();
  const double full = course::nominal_limits(device).fp32_flop_per_s;
  device.compute_major = 8;
  CHECK(course::nominal_limits(device).fp32_flop_per_s == full / 2);
  device.compute_minor = 6;
  CHECK(course::nominal_limits(device).fp32_flop_per_s == full);
  device.compute_major = 7;
  device.compute_minor = 5;
  CHECK(course::nominal_limits(device).fp32_flop_per_s == full / 2);
}

TEST_CASE("tensor cores have limits of their own, and lift that of FP32") {
  Device device = h200();
  CHECK(course::nominal_limits(device).tensor_flop_per_s ==
        doctest::Approx(1070e12).epsilon(0.001));
  device.compute_major = 12;
  CHECK(course::nominal_limits(device).tensor_flop_per_s == 0.0);

  CHECK_FALSE(is_possible({.flops = 20e9}, 1e-3));
  CHECK(is_possible({.flops = 20e9, .tensor_flops = 60e9}, 1e-3));
  const auto refusal =
      physical_violation({.flops = 60e9, .tensor_flops = 180e9}, 1e-3, true, kRound);
  REQUIRE(refusal.has_value());
  CHECK(refusal->find("1.8 times what its tensor cores can do (100.00 TFLOP/s)") !=
        std::string::npos);
}

TEST_CASE("the published speed-up by four is refused, honest copies are not") {
  // readOffset at n = 2^24 and 2^26 on an H200: 3232 GB/s. A quarter of the work in a quarter of
  // the time, credited in full, is 12.9 TB/s.
  const DeviceLimits limits = course::nominal_limits(h200());
  for (const double n : {double(1 << 24), double(1 << 26)}) {
    const Work work{.read_bytes = 8 * n, .written_bytes = 4 * n};
    const double honest_s = work.bytes() / 3232e9;
    CHECK(is_possible(work, honest_s, true, limits));
    CHECK(
        // The fastest copy measured on an H200.
        is_possible(work, work.bytes() / 4255e9, true, limits));
    const auto refusal = physical_violation(work, honest_s / 4, true, limits);
    REQUIRE(refusal.has_value());
    CHECK(refusal->find("times what DRAM can do (4.81 TB/s)") != std::string::npos);
    CHECK(refusal->find("did not do the work") != std::string::npos);
  }
}

TEST_CASE("each limit has its edge at the slack") {
  const double slack = course::kLimitSlack;
  const Work dram{.read_bytes = 1e9};
  CHECK(is_possible(dram, 1.001e-3 / slack));
  CHECK_FALSE(is_possible(dram, 0.999e-3 / slack));
  const Work l2{.read_bytes = 4e9, .level = MemoryLevel::l2};
  CHECK(is_possible(l2, 1.001e-3 / slack));
  CHECK_FALSE(is_possible(l2, 0.999e-3 / slack));
  const Work l1{.written_bytes = 8e9, .level = MemoryLevel::l1};
  CHECK(is_possible(l1, 1.001e-3 / slack));
  CHECK_FALSE(is_possible(l1, 0.999e-3 / slack));
  const Work flops{.flops = 10e9};
  CHECK(is_possible(flops, 1.001e-3 / slack));
  CHECK_FALSE(is_possible(flops, 0.999e-3 / slack));
}

TEST_CASE("a refusal says which limit and how many times over") {
  CHECK(*physical_violation({.read_bytes = 3e9}, 1e-3, true, kRound) ==
        "1 ms would mean 3.00 TB/s, 3.0 times what DRAM can do (1.00 TB/s): the kernel did not do "
        "the work that it is "
        "credited with");
  CHECK(physical_violation({.flops = 25e9}, 1e-3, true, kRound)
            ->find("25.00 TFLOP/s, 2.5 times what FP32 arithmetic") != std::string::npos);
}

TEST_CASE("bytes that may stay in L2 need not reach DRAM") {
  // The 10 MB written last may still be in L2 when the clock stops.
  CHECK(is_possible({.written_bytes = 10e6}, 5e-6));
  CHECK_FALSE(is_possible({.written_bytes = 20e6}, 5e-6));
  // After a flush, all data read comes from DRAM; otherwise it may be in L2.
  CHECK_FALSE(is_possible({.read_bytes = 10e6}, 5e-6, true));
  CHECK(is_possible({.read_bytes = 10e6}, 5e-6, false));
  CHECK_FALSE(is_possible({.read_bytes = 20e6}, 5e-6, false));
  // Nothing is faster than L2.
  CHECK_FALSE(is_possible({.read_bytes = 10e6}, 2e-6, false));
}

TEST_CASE("re-reads are held to the level that serves them") {
  const Work reused{.read_bytes = 3e9};
  CHECK_FALSE(is_possible(reused, 1e-3));
  CHECK(is_possible({.read_bytes = 3e9, .level = MemoryLevel::l2}, 1e-3));
  CHECK(is_possible({.read_bytes = 7e9, .level = MemoryLevel::l1}, 1e-3));
  CHECK_FALSE(is_possible({.read_bytes = 7e9, .level = MemoryLevel::l2}, 1e-3));
}

TEST_CASE("an unknown limit does not refuse") {
  CHECK(is_possible({.read_bytes = 1e15, .flops = 1e18}, 1e-3, true, DeviceLimits{}));
  const DeviceLimits silent = course::nominal_limits(Device{});
  CHECK(silent.dram_bytes_per_s == 0.0);
  CHECK(silent.fp32_flop_per_s == 0.0);
}

TEST_CASE("a measured copy stands in for, or lowers, the nominal limit") {
  CHECK(course::measured_limits(DeviceLimits{}, 8e11).dram_bytes_per_s == 1e12);
  CHECK(course::measured_limits(kRound, 4e11).dram_bytes_per_s == 5e11);
  CHECK(course::measured_limits(kRound, 9e11).dram_bytes_per_s == 1e12);
  CHECK(course::measured_limits(kRound, 0.0).dram_bytes_per_s == 1e12);
  CHECK(course::measured_limits(kRound, 4e11).fp32_flop_per_s == 10e12);
  CHECK(course::measured_limits(kRound, 5e11, 1.5).dram_bytes_per_s == 7.5e11);
}

TEST_CASE("nonsense is refused rather than passed") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(is_possible({}, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(is_possible({}, -1.0), std::invalid_argument);
  CHECK_THROWS_AS(is_possible({}, kNaN), std::invalid_argument);
  CHECK_THROWS_AS(is_possible({.read_bytes = -1.0}, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(is_possible({.flops = kNaN}, 1.0), std::invalid_argument);
  CHECK(is_possible({}, 1e-9));
}

TEST_CASE("where kernels are counted, the bytes must have been asked for") {
  course::Counters counters;
  counters.global_load.bytes = 4096;
  counters.global_store.bytes = 1024;
  CHECK_FALSE(counted_violation({.read_bytes = 4096, .written_bytes = 1024}, counters).has_value());
  CHECK(*counted_violation({.read_bytes = 16384, .written_bytes = 1024}, counters) ==
        "the kernel read 4096 bytes of the 16384 that it is credited with");
  CHECK(*counted_violation({.read_bytes = 4096, .written_bytes = 4096}, counters) ==
        "the kernel wrote 1024 bytes of the 4096 that it is credited with");
  CHECK_FALSE(
      counted_violation({.read_bytes = 16384, .level = MemoryLevel::l1}, counters).has_value());
  counters.bulk = {.copies = 1, .bytes = 12288};
  CHECK_FALSE(
      counted_violation({.read_bytes = 16384, .written_bytes = 1024}, counters).has_value());
  counters.bulk = {};
  counters.bulk_store = {.copies = 1, .bytes = 3072};
  CHECK_FALSE(counted_violation({.read_bytes = 4096, .written_bytes = 4096}, counters).has_value());
  counters.bulk_store = {};
  counters.global_atomic.bytes = 3072;
  CHECK_FALSE(
      counted_violation({.read_bytes = 4096 + 3072, .written_bytes = 4096}, counters).has_value());
}
