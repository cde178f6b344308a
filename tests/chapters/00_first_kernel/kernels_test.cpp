/// Tests the kernels of chapter 00: sums at all edges, costs, and a picture.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "../launch.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "kernels_under_test.hpp"

using course::DeviceBuffer;
using course_test::launch;

namespace {

constexpr int kThreads = 64;

using AddKernel = void (*)(int n, const float* a, const float* b, float* c);

/// Checks the sums of n pairs with `blocks` blocks; returns the counters, if there are any.
std::optional<course::Counters> check_sums(AddKernel kernel, int n, int blocks) {
  CAPTURE(n);
  CAPTURE(blocks);
  const auto a = course::random_floats(n, 1), b = course::random_floats(n, 2);
  const DeviceBuffer<float> device_a(a, "a"), device_b(b, "b");
  DeviceBuffer<float> c(n, "c");
  const auto counted = course::count([&] {
    if (blocks > 0)
      launch(kernel, {blocks, kThreads}, n, device_a.data(), device_b.data(), c.data());
    course::check_launch();
  });
  const auto sums = c.to_host();
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && sums[i] == a[i] + b[i];
  CHECK(right);
  return counted;
}

}  // namespace

TEST_CASE("add: every size around a block's edge") {
  for (const int n : {0, 1, 31, 32, 63, 64, 65, 127, 128, 129, 1000})
    check_sums(kernels_under_test().add, n, course::divide_up(n, kThreads));
}

TEST_CASE("add: 8 bytes read and 4 written per pair") {
  constexpr int kPairs = 1000;
  const auto counted =
      check_sums(kernels_under_test().add, kPairs, course::divide_up(kPairs, kThreads));
  if (!counted) return;
  CHECK(counted->global_load.bytes == 8 * kPairs);
  CHECK(counted->global_store.bytes == 4 * kPairs);
  CHECK(counted->global_store.requests == course::divide_up(kPairs, course::kWarpSize));
}

TEST_CASE("add_grid_stride: any grid covers any array, every pair once") {
  for (const int blocks : {1, 2, 3, 40})
    for (const int n : {0, 1, 31, 64, 65, 128, 129, 1000}) {
      const auto counted = check_sums(kernels_under_test().add_grid_stride, n, blocks);
      if (!counted) continue;
      CHECK(counted->global_load.bytes == std::uint64_t(8) * n);
      CHECK(counted->global_store.bytes == std::uint64_t(4) * n);
    }
}

TEST_CASE("answer: 42, written by one thread") {
  for (const int threads : {1, 64}) {
    DeviceBuffer<int> out(1, "out");
    const auto counted = course::count([&] {
      launch(kernels_under_test().answer, {1, threads}, out.data());
      course::check_launch();
    });
    CHECK(out.to_host() == std::vector<int>{42});
    if (counted) CHECK(counted->global_store.requests == 1);
    if (counted) CHECK(counted->active_lanes_avg() == 1.0);
  }
}

TEST_CASE("mandelbrot: what is known of the set, and what the CPU counts") {
  constexpr int kWidth = 45, kHeight = 35, kMost = 60;
  DeviceBuffer<int> steps(kWidth * kHeight, "steps");
  const dim3 block(8, 4);
  launch(kernels_under_test().mandelbrot,
         {dim3(course::divide_up(kWidth, 8), course::divide_up(kHeight, 4)), block}, kWidth,
         kHeight, kMost, steps.data());
  course::check_launch();
  const auto counted = steps.to_host();
  int inside = 0;
  for (int row = 0; row < kHeight; ++row) {
    for (int col = 0; col < kWidth; ++col) {
      const float c_x = std::fmaf(3.0f / kWidth, col, -2.25f);
      const float c_y = std::fmaf(2.5f / kHeight, row, -1.25f);
      float x = 0.0f, y = 0.0f;
      int step = 0;
      while (step < kMost && std::fmaf(y, y, x * x) <= 4.0f) {
        const float next_y = std::fmaf(x + x, y, c_y);
        x = std::fmaf(y, -y, x * x) + c_x;
        y = next_y;
        ++step;
      }
      CAPTURE(row);
      CAPTURE(col);
      REQUIRE(counted[row * kWidth + col] == step);
      // The main cardioid's inner disc belongs to the set; nothing beyond distance 2 does.
      const float distance = std::hypot(c_x, c_y);
      if (distance < 0.25f) REQUIRE(step == kMost);
      if (distance > 2.0f) REQUIRE(step <= 1);
      inside += step == kMost;
    }
  }
  CHECK(inside > kWidth * kHeight / 10);
}
