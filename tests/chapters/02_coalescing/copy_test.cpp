/// Checks what chapters/02_coalescing/README.md says of the copies.

#include <doctest/doctest.h>

#include <numeric>
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
using course_test::for_each_warp;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

const std::vector<int> kSizes = {0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000};
constexpr int kThreads = 128;

using course::divide_up;

/// Checks a copy whose result i is element source(i) of the `in_count` input elements.
template <class T, class Launch, class Source>
std::optional<course::Counters> check_copy(int n, std::size_t in_count, Launch launch,
                                           Source source) {
  CAPTURE(n);
  const auto floats = course::random_floats(in_count, /*seed=*/5);
  const std::vector<T> in(floats.begin(), floats.end());
  const DeviceBuffer<T> device_in(in);
  DeviceBuffer<T> out(n);
  const auto counted = course::count([&] {
    if (n == 0) return;
    launch(divide_up(n, kThreads), device_in.data(), out.data());
    course::check_launch();
  });

  std::vector<T> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[source(i)];
  CHECK(out.to_host() == expected);

  if (counted) {
    RequestModel loads, stores;
    for_each_warp(n, kThreads, [&](int first, int lanes) {
      std::vector<std::int64_t> read, written;
      for (int i = first; i < first + lanes; ++i) {
        read.push_back(source(i));
        written.push_back(i);
      }
      loads.request(read, sizeof(T));
      stores.request(written, sizeof(T));
    });
    CHECK(counted->global_load == loads.counters());
    CHECK(counted->global_store == stores.counters());
  }
  return counted;
}

auto check_strided(int n, int stride) {
  CAPTURE(stride);
  return check_copy<float>(
      n, std::size_t(n) * stride,
      [&](int blocks, const float* in, float* out) {
        launch(kernels_under_test().copy_strided, {blocks, kThreads}, n, stride, in, out);
      },
      [&](std::int64_t i) { return i * stride; });
}

auto check_permuted(int n) {
  return check_copy<float>(
      n, n,
      [&](int blocks, const float* in, float* out) {
        launch(kernels_under_test().copy_permuted, {blocks, kThreads}, n, in, out);
      },
      [](std::int64_t i) { return i; });
}

auto check_broadcast(int n) {
  return check_copy<float>(
      n, divide_up(n, kWarpSize),
      [&](int blocks, const float* in, float* out) {
        launch(kernels_under_test().copy_broadcast, {blocks, kThreads}, n, in, out);
      },
      [](std::int64_t i) { return i / kWarpSize; });
}

auto check_doubles(int n) {
  return check_copy<double>(
      n, n,
      [&](int blocks, const double* in, double* out) {
        launch(kernels_under_test().copy_doubles, {blocks, kThreads}, n, in, out);
      },
      [](std::int64_t i) { return i; });
}

}  // namespace

TEST_CASE("copy_strided copies every stride-th element, at the sectors that the rules give") {
  for (const int n : kSizes)
    for (const int stride : {1, 2, 3, 4, 7, 8, 9, 31, 32, 33}) check_strided(n, stride);
}

TEST_CASE("copy_permuted copies, also where the last warp is partial") {
  for (const int n : kSizes) check_permuted(n);
}

TEST_CASE("copy_broadcast writes the element of each warp 32 times") {
  for (const int n : kSizes) check_broadcast(n);
}

TEST_CASE("copy_doubles copies") {
  for (const int n : kSizes) check_doubles(n);
}

TEST_CASE(
    "sectors of one full warp: 4 in order, 4 permuted, 8 at stride 2, 32 at 32, 1 broadcast") {
  const auto one_warp = check_strided(kWarpSize, 1);
  if (!one_warp) return;
  CHECK(one_warp->global_load.requests == 1);
  CHECK(one_warp->global_load.sectors == 4);
  CHECK(one_warp->global_load.lines == 1);
  CHECK(one_warp->global_load.efficiency_pct() == 100.0);

  CHECK(check_permuted(kWarpSize)->global_load == one_warp->global_load);
  CHECK(check_strided(kWarpSize, 2)->global_load.sectors == 8);
  CHECK(check_strided(kWarpSize, 4)->global_load.sectors == 16);
  CHECK(check_strided(kWarpSize, 8)->global_load.sectors == 32);
  CHECK(check_strided(kWarpSize, 32)->global_load.sectors == 32);
  CHECK(check_strided(kWarpSize, 32)->global_load.efficiency_pct() == 12.5);
  CHECK(check_broadcast(kWarpSize)->global_load.sectors == 1);
  CHECK(check_doubles(kWarpSize)->global_load.sectors == 8);
  CHECK(check_doubles(kWarpSize)->global_load.efficiency_pct() == 100.0);
}

TEST_CASE("eight lanes: one sector if their elements have 4 bytes, two if they have 8") {
  const auto floats = check_strided(8, 1);
  const auto doubles = check_doubles(8);
  if (!floats || !doubles) return;
  CHECK(floats->global_load.sectors == 1);
  CHECK(doubles->global_load.sectors == 2);
  CHECK(doubles->global_load.requests == 1);
}
