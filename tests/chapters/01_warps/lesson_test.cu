/// Checks the claims of chapters/01_warps/README.md.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
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

using course::divide_up;

/// The indices that a thread reports of itself.
struct Coordinates {
  int x, y, z;
  bool operator==(const Coordinates&) const = default;
};

/// Each thread asks all lanes of its warp for their indices: the hardware's grouping into warps.
__global__ void who_shares_my_warp(int* answers) {  // [z, y, x, 32]: packed x, y, z; -1 for none
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned present = __ballot_sync(0xffffffff, 1);
  const int me = threadIdx.x + 1024 * (threadIdx.y + 1024 * threadIdx.z);
  for (int lane = 0; lane < warpSize; ++lane) {
    const int answer = __shfl_sync(present, me, lane);
    answers[thread * warpSize + lane] = present >> lane & 1 ? answer : -1;
  }
}

const std::vector<dim3> kShapes = {dim3(1),        dim3(31),       dim3(32),       dim3(33),
                                   dim3(64),       dim3(257),      dim3(1024),     dim3(8, 8),
                                   dim3(8, 6),     dim3(32, 4),    dim3(1, 33),    dim3(31, 33),
                                   dim3(5, 7),     dim3(8, 6, 3),  dim3(1, 1, 64), dim3(3, 5, 7),
                                   dim3(16, 4, 2), dim3(2, 3, 33), dim3(32, 32)};

int threads_of(dim3 block) { return static_cast<int>(block.x * block.y * block.z); }

using MapKernel = void (*)(int, int*, int*, int*);

void check_map(MapKernel kernel, dim3 block, int n) {
  CAPTURE(block.x);
  CAPTURE(block.y);
  CAPTURE(block.z);
  CAPTURE(n);
  const int threads = threads_of(block);
  DeviceBuffer<int> warp(n), lane(n), leader(n);
  const auto counted = course::count([&] {
    if (n == 0) return;
    launch(kernel, {divide_up(n, threads), block}, n, warp.data(), lane.data(), leader.data());
    course::check_launch();
  });

  std::vector<int> expected_warp, expected_lane, expected_leader;
  for (int i = 0; i < n; ++i) {
    expected_warp.push_back(i % threads / kWarpSize);
    expected_lane.push_back(i % threads % kWarpSize);
    expected_leader.push_back(kWarpSize * expected_warp.back());
  }
  CHECK(warp.to_host() == expected_warp);
  CHECK(lane.to_host() == expected_lane);
  CHECK(leader.to_host() == expected_leader);

  if (!counted) return;
  RequestModel stores;
  for_each_warp(n, threads, [&](int first, int lanes) {
    std::vector<std::int64_t> elements;
    for (int i = 0; i < lanes; ++i) elements.push_back(first + i);
    for (int array = 0; array < 3; ++array) stores.request(elements, sizeof(int));
  });
  CHECK(counted->global_store == stores.counters());
  CHECK(counted->global_load == course::GlobalCounters{});
}

void check_map_at_sizes(MapKernel kernel, int dimensions) {
  for (const dim3& block : kShapes) {
    if (dimensions < 3 && block.z > 1) continue;
    if (dimensions < 2 && block.y > 1) continue;
    const int threads = threads_of(block);
    for (const int n : {0, 1, threads - 1, threads, threads + 1, 3 * threads + 5})
      check_map(kernel, block, n);
  }
}

}  // namespace

TEST_CASE("warp = number / 32 and lane = number % 32, asked of the machine lane by lane") {
  for (const dim3& block : kShapes) {
    CAPTURE(block.x);
    CAPTURE(block.y);
    CAPTURE(block.z);
    const int threads = threads_of(block);
    DeviceBuffer<int> answers(threads * kWarpSize);
    launch(who_shares_my_warp, {1, block}, answers.data());
    course::check_launch();

    std::vector<int> expected;
    for (int thread = 0; thread < threads; ++thread) {
      for (int lane = 0; lane < kWarpSize; ++lane) {
        const unsigned other = thread / kWarpSize * kWarpSize + lane;
        const unsigned x = other % block.x, y = other / block.x % block.y;
        const unsigned z = other / block.x / block.y;
        expected.push_back(other < unsigned(threads) ? int(x + 1024 * (y + 1024 * z)) : -1);
      }
    }
    CHECK(answers.to_host() == expected);
  }
}

TEST_CASE("warp_map_1d agrees with the formula at and around whole warps and blocks") {
  check_map_at_sizes(kernels_under_test().warp_map_1d, 1);
}

TEST_CASE("warp_map_2d agrees with the formula for blocks of one and two dimensions") {
  check_map_at_sizes(kernels_under_test().warp_map_2d, 2);
}

TEST_CASE("warp_map_3d agrees with the formula for blocks of one, two and three dimensions") {
  check_map_at_sizes(kernels_under_test().warp_map_3d, 3);
}

TEST_CASE("the README's example: in a block of 8 x 6, thread (5, 4) is lane 5 of warp 1") {
  DeviceBuffer<int> warp(48), lane(48), leader(48);
  launch(kernels_under_test().warp_map_2d, {1, dim3(8, 6)}, 48, warp.data(), lane.data(),
         leader.data());
  course::check_launch();
  const int thread = 5 + 8 * 4;
  CHECK(warp.to_host()[thread] == 1);
  CHECK(lane.to_host()[thread] == 5);
}

TEST_CASE("lanes_take_turns ends, and the lanes of every pair alternate") {
  for (const int pairs : {1, 15, 16, 17, 32, 100}) {
    for (const int rounds : {0, 1, 2, 9}) {
      CAPTURE(pairs);
      CAPTURE(rounds);
      DeviceBuffer<int> turn(std::vector<int>(pairs, 0));
      DeviceBuffer<int> order(std::size_t(2) * pairs * rounds);
      launch(kernels_under_test().lanes_take_turns, {divide_up(2 * pairs, 64), 64}, pairs, rounds,
             turn.data(), order.data());
      course::check_launch();

      std::vector<int> expected;
      for (std::size_t i = 0; i < order.size(); ++i) expected.push_back(i % 2);
      CHECK(order.to_host() == expected);
      CHECK(turn.to_host() == std::vector<int>(pairs, 2 * rounds));
    }
  }
}

namespace {

using DivergenceKernel = void (*)(int, int, const float*, float*);

/// Tells by its number in the block whether a thread adds; it looks for the maximum if not.
using Adds = bool (*)(int thread);
constexpr Adds kEvenLanes = [](int thread) { return thread % 2 == 0; };
constexpr Adds kEvenWarps = [](int thread) { return thread / kWarpSize % 2 == 0; };
constexpr Adds kAllButOne = [](int thread) { return thread % kWarpSize > 0; };

/// Checks a kernel whose threads take the sides that `is_adding` says.
void check_divergence(DivergenceKernel kernel, Adds is_adding, int n, int rows, int threads) {
  CAPTURE(n);
  CAPTURE(rows);
  CAPTURE(threads);
  const auto table = course::random_floats(std::size_t(rows) * n, /*seed=*/17);
  const auto adds = [&](int i) { return is_adding(i % threads); };

  std::vector<float> expected(n, 0.0f);
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i) {
      const float value = table[std::size_t(row) * n + i];
      expected[i] = adds(i) ? expected[i] + value : std::max(expected[i], value);
    }
  }

  DeviceBuffer<float> device_table(table), out(n);
  const auto counted = course::count([&] {
    if (n == 0) return;
    launch(kernel, {divide_up(n, threads), threads}, n, rows, device_table.data(), out.data());
    course::check_launch();
  });
  CHECK(out.to_host() == expected);

  if (!counted) return;
  RequestModel loads, stores;
  for_each_warp(n, threads, [&](int first, int lanes) {
    std::vector<std::int64_t> all;
    for (int i = first; i < first + lanes; ++i) all.push_back(i);
    stores.request(all, sizeof(float));
    for (const bool side : {true, false}) {
      for (int row = 0; row < rows; ++row) {
        std::vector<std::int64_t> elements;
        for (const std::int64_t i : all)
          if (adds(static_cast<int>(i)) == side) elements.push_back(std::int64_t(row) * n + i);
        loads.request(elements, sizeof(float));
      }
    }
  });
  CHECK(counted->global_load == loads.counters());
  CHECK(counted->global_store == stores.counters());
  CHECK(counted->warp_instructions == loads.counters().requests + stores.counters().requests);
  CHECK(counted->lane_instructions == loads.lanes() + stores.lanes());
}

void check_divergence_at_sizes(DivergenceKernel kernel, Adds is_adding) {
  for (const int n : {0, 1, 2, 31, 32, 33, 64, 255, 256, 257, 1000})
    for (const int rows : {0, 1, 2, 33}) check_divergence(kernel, is_adding, n, rows, 256);
  for (const int threads : {32, 33, 64, 96, 1024})
    check_divergence(kernel, is_adding, /*n=*/2000, /*rows=*/3, threads);
}

}  // namespace

TEST_CASE("divergence_within_warp is right, and costs a request per side and row") {
  check_divergence_at_sizes(kernels_under_test().divergence_within_warp, kEvenLanes);
}

TEST_CASE("divergence_between_warps is right, and costs a request per row") {
  check_divergence_at_sizes(kernels_under_test().divergence_between_warps, kEvenWarps);
}

TEST_CASE("divergence_one_lane is right, and costs a request per row for that lane alone") {
  check_divergence_at_sizes(kernels_under_test().divergence_one_lane, kAllButOne);
}

TEST_CASE("a branch inside warps doubles the requests and halves the active lanes") {
  constexpr int kN = 1 << 12, kRows = 32, kThreads = 256, kWarps = kN / kWarpSize;
  DeviceBuffer<float> table(course::random_floats(kN * kRows, /*seed=*/3)), out(kN);
  const auto count = [&](DivergenceKernel kernel) {
    return course::count([&] {
      launch(kernel, {kN / kThreads, kThreads}, kN, kRows, table.data(), out.data());
      course::check_launch();
    });
  };
  const auto within = count(kernels_under_test().divergence_within_warp);
  const auto between = count(kernels_under_test().divergence_between_warps);
  const auto one_lane = count(kernels_under_test().divergence_one_lane);
  if (!within || !between || !one_lane) return;

  CHECK(within->global_load.requests == 2 * kRows * kWarps);
  CHECK(between->global_load.requests == kRows * kWarps);
  CHECK(one_lane->global_load.requests == within->global_load.requests);
  CHECK(one_lane->global_load.sectors == 5 * kRows * kWarps);  // four, and the lane's own again
  // within: 2 x 32 loads with 16 lanes and a store with 32; between: 32 loads and a store with 32.
  CHECK(within->active_lanes_avg().value() == doctest::Approx((64 * 16 + 32) / 65.0));
  CHECK(between->active_lanes_avg().value() == 32.0);
}

namespace {

using PixelKernel = void (*)(int, int, int, int*, int*);

/// Returns the steps of one pixel, computed on the CPU.
int steps_of(int width, int height, int most, int pixel) {
  const float c_x = std::fmaf(3.0f / width, pixel % width, -2.25f);
  const float c_y = std::fmaf(2.5f / height, pixel / width, -1.25f);
  float x = 0.0f, y = 0.0f;
  int step = 0;
  while (step < most && std::fmaf(y, y, x * x) <= 4.0f) {
    const float next_y = std::fmaf(x + x, y, c_y);
    x = std::fmaf(y, -y, x * x) + c_x;
    y = next_y;
    ++step;
  }
  return step;
}

/// Checks the pixels. `warp_of` returns a number that only pixels of the same warp share.
void check_pixels(PixelKernel kernel, dim3 grid, dim3 block, int width, int height, int most,
                  const std::function<int(int)>& warp_of) {
  CAPTURE(width);
  CAPTURE(height);
  CAPTURE(most);
  CAPTURE(block.x);
  const int pixels = width * height;
  DeviceBuffer<int> steps(pixels), waited(pixels);
  const auto counted = course::count([&] {
    launch(kernel, {grid, block}, width, height, most, steps.data(), waited.data());
    course::check_launch();
  });

  std::vector<int> expected_steps, expected_waited;
  std::map<int, int> rounds;
  for (int pixel = 0; pixel < pixels; ++pixel) {
    expected_steps.push_back(steps_of(width, height, most, pixel));
    rounds[warp_of(pixel)] = std::max(rounds[warp_of(pixel)], expected_steps.back());
  }
  for (int pixel = 0; pixel < pixels; ++pixel)
    expected_waited.push_back(rounds[warp_of(pixel)] - expected_steps[pixel]);
  CHECK(steps.to_host() == expected_steps);
  CHECK(waited.to_host() == expected_waited);
  if (!counted) return;
  CHECK(counted->global_store.bytes == std::uint64_t(8) * pixels);
  CHECK(counted->global_load == course::GlobalCounters{});
}

}  // namespace

TEST_CASE(
    "mandelbrot_near: a lane waits for the slowest pixel of its warp, in blocks of any shape") {
  for (const int across : {64, 32, 16, 8, 2, 1}) {
    for (const auto& [width, height] : {std::pair(70, 40), {64, 64}, {33, 17}, {1, 50}, {1, 1}}) {
      const int down = 64 / across;
      check_pixels(kernels_under_test().mandelbrot_near,
                   dim3(divide_up(width, across), divide_up(height, down)), dim3(across, down),
                   width, height, /*most=*/50, [&, width = width](int pixel) {
                     const int col = pixel % width, row = pixel / width;
                     const int thread = col % across + across * (row % down);
                     const int block = col / across + divide_up(width, across) * (row / down);
                     return 2 * block + thread / kWarpSize;
                   });
    }
  }
}

TEST_CASE("mandelbrot_dealt: a lane waits for pixels from all over the picture") {
  for (const auto& [width, height] : {std::pair(70, 40), {64, 64}, {33, 17}, {1, 50}, {1, 1}}) {
    const int warps = divide_up(width * height, kWarpSize);
    for (const int more : {0, 2})
      check_pixels(kernels_under_test().mandelbrot_dealt, divide_up(warps, 2) + more, 64, width,
                   height, /*most=*/50, [&](int pixel) { return pixel % warps; });
  }
}
