/// Checks what chapters/02_coalescing/README.md says of reading from L1.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "kernels_under_test.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using course::DeviceBuffer;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

/// Checks the sums of all threads and the cost of the loads, which it returns.
course::GlobalCounters check_reads(int passes, int lines, int stride, int blocks, int threads) {
  CAPTURE(passes);
  CAPTURE(lines);
  CAPTURE(stride);
  CAPTURE(threads);
  const auto in = course::random_floats(kWarpSize * lines + (kWarpSize - 1) * stride, /*seed=*/6);
  const DeviceBuffer<float> device_in(in);
  DeviceBuffer<float> out(blocks * threads);
  const auto counted = course::count([&] {
    launch(kernels_under_test().read_from_l1, {blocks, threads}, passes, lines, stride,
           device_in.data(), out.data());
    course::check_launch();
  });

  std::vector<float> expected(out.size(), 0.0f);
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (int pass = 0; pass < passes; ++pass)
      for (int line = 0; line < lines; ++line)
        expected[i] += in[i % kWarpSize * stride + line * kWarpSize];
  CHECK(out.to_host() == expected);

  RequestModel loads;
  for (int warp = 0; warp < blocks * threads / kWarpSize; ++warp) {
    for (int pass = 0; pass < passes; ++pass) {
      for (int line = 0; line < lines; ++line) {
        std::vector<std::int64_t> elements;
        for (int lane = 0; lane < kWarpSize; ++lane)
          elements.push_back(lane * stride + line * kWarpSize);
        loads.request(elements, sizeof(float));
      }
    }
  }
  if (counted) CHECK(counted->global_load == loads.counters());
  return loads.counters();
}

constexpr double kMultiprocessors = 132;  // of an H200

/// The cycles that L1 takes for a request whose lanes read floats `stride` apart: the longer one of
/// two queues. At each of 32 drawers, float i lies in drawer i % 32, and lanes wait for one
/// another. And the lines are found four at a time.
int l1_cycles(int stride) {
  constexpr int kDrawers = 32, kLineFloats = 32, kLinesPerCycle = 4;
  std::array<int, kDrawers> queue{};
  std::set<int> lines;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    ++queue[lane * stride % kDrawers];
    lines.insert(lane * stride / kLineFloats);
  }
  const int found = (static_cast<int>(lines.size()) + kLinesPerCycle - 1) / kLinesPerCycle;
  return std::max(*std::ranges::max_element(queue), found);
}

/// Calls `check` for each timed run of a kernel on an H200, with its parameters and its time in
/// cycles of a multiprocessor, all of which are busy; returns how many there were.
template <class Check>
int for_each_timed(const std::string& kernel, Check check) {
  const auto record =
      tools::parse_json(tools::read_file(tools::source_folder() / "docs/measurements/h200.json"));
  const double cycles_per_ms =
      1000 * std::stod(record["clock_sm_max_mhz"].template get<std::string>());
  int runs = 0;
  for (const auto& run : record["chapters"]["02_coalescing"]) {
    if (run["kernel"] != kernel || run["time_ms"].is_null()) continue;
    check(run["parameters"], cycles_per_ms * run["time_ms"]["median"].template get<double>());
    ++runs;
  }
  return runs;
}

}  // namespace

TEST_CASE("the longer one of two queues says what an H200 takes for a request to L1") {
  const int runs = for_each_timed("read_from_l1", [](const auto& run, double cycles) {
    const int stride = run["stride"];
    CAPTURE(stride);
    const double requests = 1e6 * run["million_requests_each"].template get<double>();
    const double too_long = cycles / requests - l1_cycles(stride);
    CHECK(too_long > -0.01);
    CHECK(too_long < 2);
    const bool is_lone_queue = stride > 1 && (stride <= 32 || stride == 48);
    if (is_lone_queue) CHECK(too_long < 0.05);
  });
  CHECK(runs == 12);
}

TEST_CASE("with a cycle for B, they say what the naive product takes, for rows of any length") {
  const int runs = for_each_timed("sgemm_naive", [](const auto& run, double cycles) {
    if (run["m"] != 4096) return;
    const int k = run["k"];
    CAPTURE(k);
    const double rounds = 4096.0 * 4096 / kWarpSize * k / kMultiprocessors;
    const double model = l1_cycles(k) + 1;
    CHECK(model < cycles / rounds);
    CHECK(model > cycles / rounds * (k == 4104 ? 0.72 : 0.83));
    if (k != 4097) return;
    CHECK(cycles / rounds > 5 * (1 + 1));            // drawers alone, without a queue
    CHECK(cycles / rounds < (kWarpSize + 1) / 3.0);  // a cycle for each line
  });
  CHECK(runs >= 7);
}

TEST_CASE("read_from_l1 adds up its lines in each pass, at the sectors that the rules give") {
  for (const int stride : {1, 2, 8, 9, 31, 32, 33, 128})
    for (const int lines : {0, 1, 2, 7})
      for (const int passes : {0, 1, 3}) check_reads(passes, lines, stride, 2, 64);
  check_reads(2, 3, 33, 1, 32);
  check_reads(2, 3, 33, 3, 1024);
}

TEST_CASE("lines of a request: as many as the stride, and never more than there are lanes") {
  for (const int stride : {1, 4, 8, 9, 16, 17, 25}) {
    const auto counted = check_reads(1, 8, stride, 1, 32);
    CHECK(counted.lines == static_cast<std::uint64_t>(8 * stride));
  }
  for (const int stride : {32, 33, 36, 40, 48, 65})
    CHECK(check_reads(1, 8, stride, 1, 32).lines == 8 * 32);
}
