/// Checks what chapters/02_coalescing/README.md says of reading from L1.

#include <doctest/doctest.h>

#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "kernels_under_test.hpp"

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

}  // namespace

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
