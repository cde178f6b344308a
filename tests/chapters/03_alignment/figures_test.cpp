/// Checks what chapters/03_alignment/README.md says of single requests.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
using course::GlobalCounters;
using course_test::kSectorFloats;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

/// Checks a warp of `lanes` lanes. Each lane loads element source(lane) and stores it to element
/// target(lane) of `out`, whose other elements must not change. Lanes with a negative target do
/// nothing.
template <class Launch, class Source, class Target>
std::optional<course::Counters> check_warp(int lanes, Launch launch, Source source, Target target) {
  CAPTURE(lanes);
  std::vector<std::int64_t> read, written;
  for (int lane = 0; lane < lanes; ++lane) {
    if (target(lane) < 0) continue;
    read.push_back(source(lane));
    written.push_back(target(lane));
  }
  const auto values = course::random_floats(*std::ranges::max_element(read) + 1, /*seed=*/6);
  std::vector<float> expected(*std::ranges::max_element(written) + 1);
  std::vector<bool> is_written(expected.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    expected[written[i]] = values[read[i]];
    is_written[written[i]] = true;
  }

  const DeviceBuffer<float> in(values, "in");
  DeviceBuffer<float> out(expected.size(), "out");
  const auto counted = course::count([&] {
    launch(lanes, in.data(), out.data());
    course::check_launch();
  });
  const auto result = out.to_host();
  for (std::size_t i = 0; i < result.size(); ++i) {
    CAPTURE(i);
    if (is_written[i]) CHECK(result[i] == expected[i]);
    if (!is_written[i]) CHECK(std::isnan(result[i]));
  }

  if (counted) {
    RequestModel loads, stores;
    loads.request(read, sizeof(float));
    stores.request(written, sizeof(float));
    CHECK(counted->global_load == loads.counters());
    CHECK(counted->global_store == stores.counters());
  }
  return counted;
}

int same(int lane) { return lane; }

auto check_load_from(int first, int lanes = kWarpSize) {
  CAPTURE(first);
  return check_warp(
      lanes,
      [=](int threads, const float* in, float* out) {
        launch(kernels_under_test().load_from, {1, threads}, first, in, out);
      },
      [=](int lane) { return first + lane; }, same);
}

auto check_load_sectors(int sectors, int pitch, int lanes = kWarpSize) {
  CAPTURE(sectors);
  CAPTURE(pitch);
  return check_warp(
      lanes,
      [=](int threads, const float* in, float* out) {
        launch(kernels_under_test().load_sectors, {1, threads}, sectors, pitch, in, out);
      },
      [=](int lane) {
        return lane % sectors * pitch * kSectorFloats + lane / sectors % kSectorFloats;
      },
      same);
}

auto check_load_one_word(int word, int lanes = kWarpSize) {
  CAPTURE(word);
  return check_warp(
      lanes,
      [=](int threads, const float* in, float* out) {
        launch(kernels_under_test().load_one_word, {1, threads}, word, in, out);
      },
      [=](int) { return word; }, same);
}

auto check_store_sectors(int sectors, int pitch, int lanes = kWarpSize) {
  CAPTURE(sectors);
  CAPTURE(pitch);
  return check_warp(
      lanes,
      [=](int threads, const float* in, float* out) {
        launch(kernels_under_test().store_sectors, {1, threads}, sectors, pitch, in, out);
      },
      same,
      [=](int lane) {
        const int sector = lane / kSectorFloats;
        return sector < sectors ? sector * pitch * kSectorFloats + lane % kSectorFloats : -1;
      });
}

/// The cost of a full warp's request, in the README's terms.
struct Cost {
  std::uint64_t sectors, lines;
  double pct_by_sector, pct_by_line;
};

void check_cost(const GlobalCounters& counted, Cost cost) {
  CHECK(counted.requests == 1);
  CHECK(counted.sectors == cost.sectors);
  CHECK(counted.lines == cost.lines);
  CHECK(*counted.efficiency_pct() == cost.pct_by_sector);
  CHECK(*counted.line_efficiency_pct() == cost.pct_by_line);
}

}  // namespace

TEST_CASE("load_from loads consecutive floats from anywhere, at the sectors that the rules give") {
  for (int first = 0; first <= 65; ++first) check_load_from(first);
  for (const int lanes : {1, 7, 8, 9, 31})
    for (const int first : {0, 5, 8, 11, 31, 32}) check_load_from(first, lanes);
}

TEST_CASE("load_sectors spreads a warp over sectors, and load_one_word does not") {
  for (int sectors = 1; sectors <= kWarpSize; ++sectors)
    for (const int pitch : {1, 2, 3, 4, 5}) check_load_sectors(sectors, pitch);
  for (const int lanes : {1, 7, 31}) {
    check_load_sectors(4, 1, lanes);
    check_load_sectors(16, 4, lanes);
    check_load_one_word(3, lanes);
  }
  for (const int word : {0, 1, 7, 8, 33}) check_load_one_word(word);
}

TEST_CASE("store_sectors fills sectors and touches nothing in between") {
  for (int sectors = 1; sectors <= 4; ++sectors)
    for (const int pitch : {1, 2, 3, 4, 5}) check_store_sectors(sectors, pitch);
  for (const int lanes : {1, 7, 9, 31})
    for (const int sectors : {1, 2, 4}) check_store_sectors(sectors, 2, lanes);
}

TEST_CASE("loads: at a line, at a sector, misaligned, permuted, one word for all") {
  if (!course::backend().reports_counters) return;
  check_cost(check_load_from(0)->global_load, {4, 1, 100.0, 100.0});
  check_cost(check_load_from(8)->global_load, {4, 2, 100.0, 50.0});
  check_cost(check_load_from(11)->global_load, {5, 2, 80.0, 50.0});
  check_cost(check_load_from(32)->global_load, {4, 1, 100.0, 100.0});
  check_cost(check_load_sectors(4, 1)->global_load, {4, 1, 100.0, 100.0});
  check_cost(check_load_one_word(5)->global_load, {1, 1, 12.5, 3.125});
}

TEST_CASE("scattered loads: from 1 to 32 sectors, each in a line of its own") {
  if (!course::backend().reports_counters) return;
  check_cost(check_load_sectors(1, 4)->global_load, {1, 1, 100.0, 25.0});
  check_cost(check_load_sectors(2, 4)->global_load, {2, 2, 100.0, 25.0});
  check_cost(check_load_sectors(4, 4)->global_load, {4, 4, 100.0, 25.0});
  check_cost(check_load_sectors(8, 4)->global_load, {8, 8, 50.0, 12.5});
  check_cost(check_load_sectors(16, 4)->global_load, {16, 16, 25.0, 6.25});
  check_cost(check_load_sectors(32, 4)->global_load, {32, 32, 12.5, 3.125});
}

TEST_CASE("stores: 4, 3 and 2 sectors cost that many; nothing is rounded up to 4") {
  if (!course::backend().reports_counters) return;
  check_cost(check_store_sectors(4, 1)->global_store, {4, 1, 100.0, 100.0});
  check_cost(check_store_sectors(3, 2)->global_store, {3, 2, 100.0, 37.5});
  check_cost(check_store_sectors(2, 1)->global_store, {2, 1, 100.0, 50.0});
  // One 128-byte segment and two of 64 bytes: the case that the article rounds up.
  check_cost(check_store_sectors(2, 3)->global_store, {2, 1, 100.0, 50.0});
}

TEST_CASE("what counts is the beginning modulo 8 floats for sectors, modulo 32 for lines") {
  if (!course::backend().reports_counters) return;
  for (int first = 0; first <= 128; ++first) {
    CAPTURE(first);
    const GlobalCounters counted = check_load_from(first)->global_load;
    CHECK(counted.sectors == (first % 8 == 0 ? 4 : 5));
    CHECK(counted.lines == (first % 32 == 0 ? 1 : 2));
  }
}

TEST_CASE("4 + 1 sectors over two lines are those of a request that begins at 1 to 7, not at 11") {
  if (!course::backend().reports_counters) return;
  for (const int first : {1, 2, 3, 4, 5, 6, 7, 11}) {
    CAPTURE(first);
    const GlobalCounters first_line = check_load_from(first, kWarpSize - first)->global_load;
    CHECK(first_line.lines == 1);
    CHECK(first_line.sectors == (first == 11 ? 3 : 4));
    CHECK(check_load_from(first)->global_load.sectors == 5);
  }
}
