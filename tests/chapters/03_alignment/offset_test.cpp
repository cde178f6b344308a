/// Checks what chapters/03_alignment/README.md says of read_offset and write_offset.

#include <doctest/doctest.h>

#include <algorithm>
#include <climits>
#include <cmath>
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
using course_test::for_each_warp;
using course_test::kSectorFloats;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

/// A kernel, and the side of the assignment that has the offset.
struct Variant {
  const char* name;
  Sum* kernel;
  bool reads_from_offset;
};

Variant read() { return {"read_offset", kernels_under_test().read_offset, true}; }
Variant read_l2_only() {
  return {"read_offset_l2_only", kernels_under_test().read_offset_l2_only, true};
}
Variant write() { return {"write_offset", kernels_under_test().write_offset, false}; }

/// Runs a variant on independent random A and B and checks every element of C.
std::optional<course::Counters> check_result(const Variant& variant, int n, int offset, int block) {
  CAPTURE(variant.name);
  CAPTURE(n);
  CAPTURE(offset);
  CAPTURE(block);
  const auto a = course::random_floats(n, /*seed=*/1), b = course::random_floats(n, /*seed=*/2);
  const DeviceBuffer<float> device_a(a, "A"), device_b(b, "B");
  DeviceBuffer<float> c(n, "C");
  const auto counted = course::count([&] {
    if (n == 0) return;
    const int blocks = (n + block - 1) / block;
    launch(variant.kernel, {blocks, block}, n, offset, device_a.data(), device_b.data(), c.data());
    course::check_launch();
  });

  const int sums = std::max(0, n - offset);
  const int from = variant.reads_from_offset ? offset : 0;
  const int to = variant.reads_from_offset ? 0 : offset;
  const auto result = c.to_host();
  for (int i = 0; i < n; ++i) {
    const bool is_written = i >= to && i - to < sums;
    const bool is_right =
        is_written ? result[i] == a[i - to + from] + b[i - to + from] : std::isnan(result[i]);
    if (!is_right) FAIL_CHECK("C[" << i << "] is " << result[i]);
  }

  return counted;
}

/// Also checks the counters according to the rules of coalescing, warp by warp.
std::optional<course::Counters> check_sum(const Variant& variant, int n, int offset, int block) {
  const auto counted = check_result(variant, n, offset, block);
  CAPTURE(variant.name);
  CAPTURE(n);
  CAPTURE(offset);
  CAPTURE(block);
  const int sums = std::max(0, n - offset);
  const int from = variant.reads_from_offset ? offset : 0;
  const int to = variant.reads_from_offset ? 0 : offset;
  if (counted) {
    RequestModel loads, stores;
    for_each_warp(sums, block, [&](int first, int lanes) {
      std::vector<std::int64_t> read, written;
      for (int i = first; i < first + lanes; ++i) {
        read.push_back(i + from);
        written.push_back(i + to);
      }
      loads.request(read, sizeof(float));
      loads.request(read, sizeof(float));
      stores.request(written, sizeof(float));
    });
    CHECK(counted->global_load == loads.counters());
    CHECK(counted->global_store == stores.counters());
  }
  return counted;
}

void check_at_sizes(const Variant& variant) {
  for (const int n : {0, 1, 31, 32, 33, 255, 256, 257, 1000})
    for (const int offset : {0, 1, 8, 11, 31, 32, 33, 128, 255, 256, 257, 999, 1000, 1001})
      check_sum(variant, n, offset, 128);
  for (const int block : {1, 7, 32, 33, 64, 96, 512, 1000, 1024})
    for (const int offset : {0, 11, 128}) check_sum(variant, 1500, offset, block);
}

/// Checks that no offset makes an index overflow.
void check_far_offsets(const Variant& variant) {
  for (const int offset :
       {INT_MAX, INT_MAX - 1, INT_MAX - 999, INT_MAX - 1023, INT_MAX - 1024, 1 << 30})
    check_sum(variant, 1000, offset, 256);
}

constexpr int kPublishedN = 1 << 20;
constexpr int kPublishedBlock = 512;

bool is_near(double value, double published, double share) {
  return std::abs(value - published) <= share * published;
}

}  // namespace

TEST_CASE("read_offset adds from the offset on, writes [0, n - offset) only, at the rules' cost") {
  check_at_sizes(read());
}

TEST_CASE("read_offset_l2_only does the same at the same cost") { check_at_sizes(read_l2_only()); }

TEST_CASE("write_offset writes [offset, n) only, at the rules' cost") { check_at_sizes(write()); }

TEST_CASE("an offset near 2^31 reads, writes and overflows nothing") {
  check_far_offsets(read());
  check_far_offsets(read_l2_only());
  check_far_offsets(write());
}

TEST_CASE("the published transactions of loads are our lines, within 1 %, for 2^20 elements") {
  if (!course::backend().reports_counters) return;
  struct Published {
    int offset;
    double transactions, pct_by_line, pct_by_sector;
  };
  for (const Published published :
       {Published{0, 65184, 100.0, 100.0}, {11, 131039, 49.81, 80.0}, {128, 65744, 100.0, 100.0}}) {
    const GlobalCounters loads =
        check_result(read(), kPublishedN, published.offset, kPublishedBlock)->global_load;
    CHECK(is_near(static_cast<double>(loads.lines), published.transactions, 0.01));
    CHECK(std::abs(*loads.line_efficiency_pct() - published.pct_by_line) < 1.0);
    CHECK(std::abs(*loads.efficiency_pct() - published.pct_by_sector) < 1.0);
    // The published times are for 2^24, sixteen times as much.
    CHECK_FALSE(is_near(16.0 * static_cast<double>(loads.lines), published.transactions, 0.5));
  }
}

TEST_CASE("the transactions published for offset 0 are fewer than the requests") {
  const auto counted = check_result(read(), kPublishedN, 0, kPublishedBlock);
  if (!counted) return;
  CHECK(counted->global_load.requests == 65536);
  CHECK(counted->global_load.lines == 65536);
  CHECK(65184 < counted->global_load.requests);
}

TEST_CASE("the published efficiencies of stores: 100, 80, 100 %, and loads at 100 %") {
  if (!course::backend().reports_counters) return;
  for (const int offset : {0, 11, 128}) {
    const auto counted = *check_result(write(), kPublishedN, offset, kPublishedBlock);
    CHECK(std::abs(*counted.global_store.efficiency_pct() - (offset == 11 ? 80.0 : 100.0)) < 1.0);
    CHECK(std::abs(*counted.global_load.efficiency_pct() - 100.0) < 1.0);
  }
}

TEST_CASE("passing L1 by moves no count: equal requests, sectors and lines") {
  for (const int offset : {0, 11, 128})
    CHECK(check_sum(read(), 1 << 14, offset, kPublishedBlock) ==
          check_sum(read_l2_only(), 1 << 14, offset, kPublishedBlock));
}

TEST_CASE("offset 11 splits a request 3 + 2 over two lines, not 4 + 1, for loads and stores") {
  if (!course::backend().reports_counters) return;
  // The first line ends after element 31, which is the warp's 21st.
  const auto counted_of = [](const Variant& variant, int elements) {
    const auto counted = *check_sum(variant, 11 + elements, 11, kWarpSize);
    return variant.reads_from_offset ? counted.global_load : counted.global_store;
  };
  const GlobalCounters first_line = counted_of(write(), 32 - 11), whole = counted_of(write(), 32);
  CHECK(first_line.sectors == 3);
  CHECK(first_line.lines == 1);
  CHECK(whole.requests == 1);
  CHECK(whole.sectors == 3 + 2);
  CHECK(whole.lines == 2);

  const GlobalCounters loads_of_first_line = counted_of(read(), 32 - 11);
  CHECK(loads_of_first_line.sectors == 2 * 3);  // of A and of B
  CHECK(counted_of(read(), 32).sectors == 2 * (3 + 2));

  // Every other warp is the same: 11 is the first element of each, modulo a line.
  const GlobalCounters many = counted_of(write(), 32 * 100);
  CHECK(many.sectors == 100 * (3 + 2));
  CHECK(many.lines == 100 * 2);
}

TEST_CASE("at offset 11, a block of 512 threads asks for 80 sectors per array, 65 different ones") {
  const auto pieces = [](int first, int last, int floats) {
    return last / floats - first / floats + 1;
  };
  CHECK(pieces(11, 11 + 511, kSectorFloats) == 65);
  CHECK(pieces(11, 11 + 511, kWarpSize) == 17);  // lines
  int sectors = 0;
  for (int first = 11; first < kPublishedN; first += kPublishedBlock) {
    const int last = std::min(first + kPublishedBlock, kPublishedN) - 1;
    sectors += 2 * pieces(first, last, kSectorFloats);  // of A and of B
  }
  CHECK(sectors == 266236);

  const auto counted = check_sum(write(), 11 + 512, 11, 512);
  if (!counted) return;
  CHECK(counted->global_store.requests == 16);
  CHECK(counted->global_store.sectors == 80);
  CHECK(counted->global_store.lines == 32);
}
