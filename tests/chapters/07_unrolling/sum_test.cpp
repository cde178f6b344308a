/// Checks what chapters/07_unrolling/README.md says of the sums: results, requests, order.

#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/request_model.hpp"
#include "course/timing.hpp"
#include "sums.hpp"

using course::DeviceBuffer;
using course_test::for_each_warp;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;
using sums::divide_up;
using sums::make_problem;
using sums::Outcome;
using sums::Problem;

namespace {

struct Expected {
  RequestModel loads, stores;
};

/// Returns the costs of read_offset with one element per lane, `threads` lanes side by side.
Expected one_element_per_lane(const Problem& problem, int threads) {
  Expected expected;
  for_each_warp(problem.count(), threads, [&](int first, int lanes) {
    std::vector<std::int64_t> read, written;
    for (int i = first; i < first + lanes; ++i) {
      read.push_back(i + problem.offset);
      written.push_back(i);
    }
    expected.loads.request(read, sizeof(float));
    expected.loads.request(read, sizeof(float));
    expected.stores.request(written, sizeof(float));
  });
  return expected;
}

/// Returns the costs with a vector of four per lane; elements after the last whole vector are
/// processed singly.
///
/// A lane loads `loads` neighbouring vectors of each array, beginning with the vector that contains
/// its first element.
Expected one_vector_per_lane(const Problem& problem, int threads, int loads) {
  Expected expected;
  for_each_warp(divide_up(problem.count(), 4 * threads) * threads, threads,
                [&](int first, int lanes) {
                  std::vector<std::int64_t> read, written;  // vectors
                  std::vector<int> rest;                    // elements
                  for (int i = 4 * first; i < 4 * (first + lanes); i += 4) {
                    const int vector = (i + problem.offset) / 4;
                    if (4 * (vector + loads) <= problem.n) {
                      read.push_back(vector);
                      written.push_back(i / 4);
                    } else {
                      rest.push_back(i);
                    }
                  }
                  for (int load = 0; load < loads; ++load) {
                    expected.loads.request(read, 4 * sizeof(float));
                    expected.loads.request(read, 4 * sizeof(float));
                    for (std::int64_t& vector : read) ++vector;
                  }
                  expected.stores.request(written, 4 * sizeof(float));
                  for (int j = 0; j < 4; ++j) {
                    read.clear();
                    written.clear();
                    for (const int i : rest) {
                      if (i + j >= problem.count()) continue;
                      read.push_back(i + j + problem.offset);
                      written.push_back(i + j);
                    }
                    expected.loads.request(read, sizeof(float));
                    expected.loads.request(read, sizeof(float));
                    expected.stores.request(written, sizeof(float));
                  }
                });
  return expected;
}

void check(const Outcome& outcome, const Problem& problem, const Expected& expected) {
  CAPTURE(problem.n);
  CAPTURE(problem.offset);
  CHECK(course::compare(outcome.c, problem.c).failure == "");
  if (!outcome.counted) return;
  CHECK(outcome.counted->global_load == expected.loads.counters());
  CHECK(outcome.counted->global_store == expected.stores.counters());
}

const std::vector<int> kSizes = {0, 1, 31, 33, 128, 139, 255, 256, 257, 512, 640, 999, 1035};
const std::vector<int> kOffsets = {0, 1, 11, 128, 2000};

/// Checks sizes around the edges of warps and blocks, with the requests of one element per lane.
void check_scalar(Sum* kernel, int per_thread) {
  for (const int threads : {32, 128, 48}) {
    CAPTURE(threads);
    for (const int n : kSizes)
      for (const int offset : kOffsets) {
        const Problem problem = make_problem(n, offset);
        check(sums::run(kernel, problem, per_thread, threads), problem,
              one_element_per_lane(problem, threads));
      }
  }
}

/// Runs a kernel whose C overlaps A except for one row of `rows` x kBlock elements: each store
/// changes the value of a later load of the same thread.
///
/// @return whether all loads came before the first store
bool loads_come_first(Sum* kernel, int rows) {
  constexpr int kBlock = 64;
  const int n = rows * kBlock;
  const auto a = course::random_floats(n + kBlock, /*seed=*/6), b = course::random_floats(n, 66);
  DeviceBuffer<float> device_a(a, "A");
  const DeviceBuffer<float> device_b(b, "B");
  launch(kernel, {1, kBlock}, n, 0, device_a.data(), device_b.data(), device_a.data() + kBlock);
  course::check_launch();
  const auto result = device_a.to_host();

  std::vector<float> first(a.begin(), a.begin() + kBlock), in_turn = first;
  for (int i = 0; i < n; ++i) {
    first.push_back(a[i] + b[i]);
    in_turn.push_back(in_turn[i] + b[i]);
  }
  REQUIRE((result == first || result == in_turn));
  REQUIRE(first != in_turn);
  return result == first;
}

}  // namespace

TEST_CASE("read_offset: results, and two load requests and a store per warp") {
  check_scalar(kernels_under_test().read_offset, 1);
}

TEST_CASE("read_offset_unroll4_in_turn: results, and the requests of one element per thread") {
  check_scalar(kernels_under_test().read_offset_unroll4_in_turn, 4);
}

TEST_CASE("read_offset_unroll2: results, and the requests of one element per thread") {
  check_scalar(kernels_under_test().read_offset_unroll2, 2);
}

TEST_CASE("read_offset_unroll4: results, and the requests of one element per thread") {
  check_scalar(kernels_under_test().read_offset_unroll4, 4);
}

TEST_CASE("read_offset_unroll8: results, and the requests of one element per thread") {
  check_scalar(kernels_under_test().read_offset_unroll8, 8);
}

TEST_CASE(
    "read_offset_grid_stride: any grid will do, with the requests of one element per thread") {
  for (const int blocks : {1, 3, 40})
    for (const int threads : {32, 128})
      for (const int n : kSizes)
        for (const int offset : kOffsets) {
          CAPTURE(blocks);
          const Problem problem = make_problem(n, offset);
          check(
              sums::run(kernels_under_test().read_offset_grid_stride, problem, n, blocks, threads),
              problem, one_element_per_lane(problem, threads));
        }
}

TEST_CASE("read_offset_float4: a quarter of the requests, at offsets that are multiples of four") {
  for (const int threads : {32, 64, 48})
    for (const int n : kSizes)
      for (const int offset : {0, 4, 12, 128, 2000}) {
        const Problem problem = make_problem(n, offset);
        check(sums::run(kernels_under_test().read_offset_float4, problem, 4, threads), problem,
              one_vector_per_lane(problem, threads, 1));
      }
}

TEST_CASE("read_offset_float4_shifted: any offset, with the two aligned vectors that hold it") {
  for (const int threads : {32, 48})
    for (const int n : kSizes)
      for (const int offset : {0, 1, 2, 3, 5, 11, 128, 2000}) {
        const Problem problem = make_problem(n, offset);
        check(sums::run(kernels_under_test().read_offset_float4_shifted, problem, 4, threads),
              problem, one_vector_per_lane(problem, threads, offset % 4 == 0 ? 1 : 2));
      }
}

TEST_CASE("unrolling changes neither requests nor sectors, whatever the block size") {
  if (!course::backend().reports_counters) return;
  const Kernels kernels = kernels_under_test();
  for (const int offset : {0, 11, 128}) {
    CAPTURE(offset);
    const Problem problem = make_problem(1 << 14, offset);
    const auto plain = sums::run(kernels.read_offset, problem, 1, 256).counted;
    for (const int threads : {1024, 512, 256, 128, 32}) {
      CAPTURE(threads);
      CHECK(sums::run(kernels.read_offset, problem, 1, threads).counted == plain);
      for (const auto& [kernel, per_thread] : {std::pair{kernels.read_offset_unroll4_in_turn, 4},
                                               {kernels.read_offset_unroll2, 2},
                                               {kernels.read_offset_unroll4, 4},
                                               {kernels.read_offset_unroll8, 8}}) {
        CAPTURE(per_thread);
        const auto counted = sums::run(kernel, problem, per_thread, threads).counted;
        CHECK(counted->global_load == plain->global_load);
        CHECK(counted->global_store == plain->global_store);
      }
    }
  }
}

TEST_CASE("2^20 elements, offset 11: 65536 requests of 5 sectors, whether unrolled or not") {
  if (!course::backend().reports_counters) return;
  const Problem problem = make_problem(1 << 20, 11);
  for (const auto& [kernel, per_thread] : {std::pair{kernels_under_test().read_offset, 1},
                                           {kernels_under_test().read_offset_unroll4, 4}}) {
    const auto counted = sums::run(kernel, problem, per_thread, 512).counted;
    CHECK(counted->global_load.requests == 65536);
    CHECK(counted->global_load.sectors == 5 * 65536 - 4);  // the last warp is not full
    CHECK(counted->global_store.requests == 32768);
    CHECK(counted->global_store.sectors == 4 * 32768 - 1);
  }
}

TEST_CASE("unrolled: all loads come before the first store; in turn and as published they do not") {
  const Kernels kernels = kernels_under_test();
  CHECK(loads_come_first(kernels.read_offset_unroll2, 2));
  CHECK(loads_come_first(kernels.read_offset_unroll4, 4));
  CHECK(loads_come_first(kernels.read_offset_unroll8, 8));
  CHECK_FALSE(loads_come_first(kernels.read_offset_unroll4_in_turn, 4));
  CHECK_FALSE(loads_come_first(kernels.read_offset_unroll4_published, 4));
  CHECK_FALSE(loads_come_first(kernels.read_offset_grid_stride, 4));
}

TEST_CASE("offsets near 2^30: no index overflows") {
  // Only the last elements of A and B are allocated; the pointers are where the first would be.
  constexpr int kHere = 1000;
  const Problem problem = make_problem(kHere, 0);
  const DeviceBuffer<float> a(problem.a, "A"), b(problem.b, "B");
  const Kernels kernels = kernels_under_test();
  for (const int offset : {(1 << 29) - 500, 1 << 29, (1 << 30) - kHere}) {
    CAPTURE(offset);
    for (const auto& [kernel, per_thread] : {std::pair{kernels.read_offset, 1},
                                             {kernels.read_offset_unroll4_in_turn, 4},
                                             {kernels.read_offset_unroll2, 2},
                                             {kernels.read_offset_unroll4, 4},
                                             {kernels.read_offset_unroll8, 8},
                                             {kernels.read_offset_grid_stride, 8},
                                             {kernels.read_offset_float4, 4},
                                             {kernels.read_offset_float4_shifted, 4}}) {
      DeviceBuffer<float> c(kHere, "C");
      launch(kernel, {divide_up(kHere, 64 * per_thread), 64}, offset + kHere, offset,
             a.data() - offset, b.data() - offset, c.data());
      course::check_launch();
      CHECK(course::compare(c.to_host(), problem.c).failure == "");
    }
  }
}

TEST_CASE("the occupancy API: 2048 threads for blocks of 128 to 1024, 32 blocks at most") {
  const auto resident = [](int threads) {
    int blocks = 0;
    course::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernels_under_test().read_offset, threads, 0));
    return blocks * threads;
  };
  if (course::current_device().compute_major != 9) return;
  for (const int threads : {1024, 512, 256, 128}) CHECK(resident(threads) == 2048);
  CHECK(resident(32) == 1024);
}

TEST_CASE("follow_chain ends where the chain leads, with one request and one sector per hop") {
  constexpr int kLines = 64, kIntsPerLine = 32;
  std::vector<int> next(kLines * kIntsPerLine, -1);
  for (int line = 0; line < kLines; ++line)
    next[line * kIntsPerLine] = (line * 5 + 1) % kLines * kIntsPerLine;
  const DeviceBuffer<int> chain(next, "next");
  int at = 0, hop = 0;
  for (const int hops : {0, 1, 2, 63, 64, 200}) {
    DeviceBuffer<int> last(1, "last");
    const auto counted = course::count([&] {
      launch(kernels_under_test().follow_chain, {1, 1}, hops, chain.data(), last.data());
      course::check_launch();
    });
    for (; hop < hops; ++hop) at = next[at];
    CHECK(last.to_host() == std::vector<int>{at});
    if (!counted) continue;
    CHECK(counted->global_load.requests == static_cast<unsigned>(hops));
    CHECK(counted->global_load.sectors == static_cast<unsigned>(hops));
    CHECK(counted->global_store.requests == 1);
  }
}

TEST_CASE("on a GPU, the unrolled sums reach the bandwidth of a copy, and the plain one does not") {
  if (!course::backend().reports_time) {
    MESSAGE("an emulated time says nothing");
    return;
  }
  constexpr int kCount = 1 << 26, kThreads = 256, kOffset = 11;
  DeviceBuffer<float> a(kCount + kCount / 2, "A"), b(kCount, "B"), c(kCount + kCount / 2, "C");
  const auto gb_per_s = [&](Sum* kernel, int per_thread, int offset) {
    const int count = kCount - offset;
    const auto time = course::measure({.repeat = 20}, [&] {
      launch(kernel, {divide_up(count, per_thread * kThreads), kThreads}, kCount, offset, a.data(),
             b.data(), c.data());
    });
    return 12e-6 * count / time->median_ms;
  };
  const auto copy = course::measure({.repeat = 20}, [&] {
    course::check(cudaMemcpyAsync(c.data(), a.data(), a.size() * sizeof(float),
                                  cudaMemcpyDeviceToDevice, nullptr));
  });
  const double copy_gb_per_s = 8e-6 * a.size() / copy->median_ms;
  const Kernels kernels = kernels_under_test();
  // Measured on an H200. GPUs with less bandwidth per multiprocessor need fewer loads in flight.
  const bool is_h200 = course::current_device().name.find("H200") != std::string::npos;
  const double share = is_h200 ? 0.98 : 0.9;
  CHECK(gb_per_s(kernels.read_offset_unroll4, 4, 0) >= share * copy_gb_per_s);
  CHECK(gb_per_s(kernels.read_offset_unroll4, 4, kOffset) >= share * copy_gb_per_s);
  CHECK(gb_per_s(kernels.read_offset_float4, 4, 0) >= share * copy_gb_per_s);
  CHECK(gb_per_s(kernels.read_offset_float4_shifted, 4, kOffset) >= share * copy_gb_per_s);
  if (!is_h200) return;
  const double plain = gb_per_s(kernels.read_offset, 1, 0);
  const double in_turn = gb_per_s(kernels.read_offset_unroll4_in_turn, 4, 0);
  CHECK(plain < 0.9 * copy_gb_per_s);
  CHECK(in_turn > plain);
  CHECK(in_turn < 0.95 * copy_gb_per_s);
  CHECK(gb_per_s(kernels.read_offset_unroll2, 2, 0) > in_turn);
}
