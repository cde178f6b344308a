/// Checks what chapters/05_shared_memory/README.md says of single loads from shared memory, and of
/// a table there.

#include <doctest/doctest.h>

#include <numeric>
#include <optional>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "kernels_under_test.hpp"

using course::DeviceBuffer;
using course::divide_up;
using course_test::for_each_warp;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

constexpr int kThreads = 128, kEntries = 256;

/// Checks the loaded values and returns the load's wavefronts; nothing if nothing is counted.
template <class T>
std::optional<std::uint64_t> wavefronts(void (*kernel)(int, T*), int stride) {
  CAPTURE(stride);
  constexpr int kInts = sizeof(T) / sizeof(int);
  DeviceBuffer<int> out(kWarpSize * kInts, "out");
  out.poison();
  const auto counted = course::count([&] {
    launch(kernel, {1, kWarpSize}, stride, reinterpret_cast<T*>(out.data()));
    course::check_launch();
  });
  std::vector<int> expected;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int k = lane * stride;
    for (const int value : {k, -k, 2 * k, 3})
      if (static_cast<int>(expected.size()) < (lane + 1) * kInts) expected.push_back(value);
  }
  CHECK(out.to_host() == expected);
  if (!counted) return std::nullopt;
  CHECK(counted->shared_load.requests == 1);
  return counted->shared_load.wavefronts;
}

/// Checks sums of `rounds` table entries, beginning with first[i], through look_up_shared.
std::optional<course::Counters> check_look_up(const std::vector<int>& firsts, int rounds) {
  const int n = static_cast<int>(firsts.size());
  const auto entries = course::random_floats(kEntries, /*seed=*/9);
  std::vector<float> expected(n, 0.0f);
  for (int i = 0; i < n; ++i)
    for (int round = 0; round < rounds; ++round)
      expected[i] += entries[(firsts[i] + round) % kEntries];

  const DeviceBuffer<float> table(entries, "table");
  const DeviceBuffer<int> first(firsts, "first");
  DeviceBuffer<float> out(n, "out");
  out.poison();
  const auto counted = course::count([&] {
    if (n > 0)
      launch(kernels_under_test().look_up_shared, {divide_up(n, kThreads), kThreads}, n, rounds,
             table.data(), first.data(), out.data());
    course::check_launch();
  });
  CHECK(out.to_host() == expected);
  if (!counted) return counted;

  RequestModel loads;
  for_each_warp(n, kThreads, [&](int begin, int lanes) {
    std::vector<std::int64_t> elements(lanes);
    std::iota(elements.begin(), elements.end(), begin);
    loads.request(elements, sizeof(int));
  });
  std::uint64_t stores = 0;
  for (int block = 0; block < n; block += kThreads)
    for (int entry = 0; entry < kEntries; entry += kWarpSize, ++stores) {
      std::vector<std::int64_t> fetched(kWarpSize);
      std::iota(fetched.begin(), fetched.end(), entry);
      loads.request(fetched, sizeof(float));
    }
  CHECK(counted->global_load == loads.counters());
  CHECK(counted->shared_store.requests == stores);
  CHECK(counted->shared_store.wavefronts == stores);
  CHECK(counted->shared_load.requests == std::uint64_t(divide_up(n, kWarpSize)) * rounds);
  return counted;
}

}  // namespace

TEST_CASE("4 bytes a lane: as many wavefronts as the stride and 32 have for a common divisor") {
  for (int stride = 1; stride <= 33; ++stride) {
    const auto found = wavefronts(kernels_under_test().read_4_bytes, stride);
    if (found) CHECK(*found == std::uint64_t(std::gcd(stride, kWarpSize)));
  }
}

TEST_CASE("8 bytes a lane: half a warp at a time, so 2 wavefronts at best, and 32 at worst") {
  for (int stride = 1; stride <= 33; ++stride) {
    const auto found = wavefronts(kernels_under_test().read_8_bytes, stride);
    // The 16 lanes of a half-warp are 2 x stride words apart.
    if (found) CHECK(*found == std::uint64_t(2 * std::min(16, std::gcd(stride, 16))));
  }
}

TEST_CASE("16 bytes a lane: a quarter of a warp at a time, so 4 wavefronts at best") {
  for (int stride = 1; stride <= 33; ++stride) {
    const auto found = wavefronts(kernels_under_test().read_16_bytes, stride);
    if (found) CHECK(*found == std::uint64_t(4 * std::gcd(stride, 8)));
  }
}

TEST_CASE("look_up_shared adds up the table, and fetches each entry once per block") {
  for (const int n : {0, 1, 31, 32, 33, 129, 1000}) {
    for (const int rounds : {0, 1, 5, 300}) {
      CAPTURE(n);
      CAPTURE(rounds);
      check_look_up(course::random_ints(n, 3, 0, kEntries - 1), rounds);
    }
  }
}

TEST_CASE("neighbouring entries in shared memory are one wavefront, however many they are") {
  for (const int distinct : {1, 2, 8, 16, 32}) {
    CAPTURE(distinct);
    std::vector<int> firsts;
    for (int lane = 0; lane < kWarpSize; ++lane) firsts.push_back(8 + lane % distinct);
    const auto counted = check_look_up(firsts, 1);
    if (!counted) return;
    CHECK(counted->shared_load.requests == 1);
    CHECK(counted->shared_load.wavefronts == 1);
  }
}
