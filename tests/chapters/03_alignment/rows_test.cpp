/// Checks what chapters/03_alignment/README.md says of rows in random order.

#include <doctest/doctest.h>

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
using course_test::for_each_warp;
using course_test::launch;
using course_test::RequestModel;

namespace {

struct Table {
  int rows, cols, pitch, header;

  int floats() const { return header + rows * pitch; }
};

/// Runs a kernel that reads or writes the table; checks every element and the counters.
template <class Kernel>
std::optional<course::Counters> check_rows(Kernel* kernel, bool is_gather, const Table& table,
                                           int block = 128) {
  const auto [rows, cols, pitch, header] = table;
  CAPTURE(is_gather);
  CAPTURE(rows);
  CAPTURE(cols);
  CAPTURE(pitch);
  CAPTURE(header);
  CAPTURE(block);
  const auto ids = course::random_permutation(rows, /*seed=*/3);
  const auto values = course::random_floats(is_gather ? table.floats() : rows * cols, /*seed=*/4);
  const DeviceBuffer<int> device_ids(ids, "ids");
  const DeviceBuffer<float> in(values, "in");
  DeviceBuffer<float> out(is_gather ? rows * cols : table.floats(), "out");
  const auto counted = course::count([&] {
    if (rows == 0) return;
    const int blocks = (rows * cols + block - 1) / block;
    launch(kernel, {blocks, block}, rows, cols, pitch, header, device_ids.data(), in.data(),
           out.data());
    course::check_launch();
  });

  const auto place = [&](int i) { return header + ids[i / cols] * pitch + i % cols; };
  auto result = out.to_host();
  for (int i = 0; i < rows * cols; ++i) {
    float& element = result[is_gather ? i : place(i)];
    const float expected = values[is_gather ? place(i) : i];
    if (element != expected) FAIL_CHECK("row " << i / cols << ", column " << i % cols);
    element = NAN;
  }
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!std::isnan(result[i])) FAIL_CHECK("element " << i << " is none of the rows'");

  if (counted) {
    RequestModel loads, stores;
    for_each_warp(rows * cols, block, [&](int first, int lanes) {
      std::vector<std::int64_t> in_order, in_table, of_ids;
      for (int i = first; i < first + lanes; ++i) {
        in_order.push_back(i);
        in_table.push_back(place(i));
        of_ids.push_back(i / cols);
      }
      loads.request(of_ids, sizeof(int));
      loads.request(is_gather ? in_table : in_order, sizeof(float));
      stores.request(is_gather ? in_order : in_table, sizeof(float));
    });
    CHECK(counted->global_load == loads.counters());
    CHECK(counted->global_store == stores.counters());
  }
  return counted;
}

std::optional<course::Counters> check_gather(const Table& table, int block = 128) {
  return check_rows(kernels_under_test().gather_rows, true, table, block);
}
std::optional<course::Counters> check_scatter(const Table& table, int block = 128) {
  return check_rows(kernels_under_test().scatter_rows, false, table, block);
}

const std::vector<Table> kTables = {{0, 32, 40, 11}, {1, 1, 1, 0},    {1, 32, 40, 11},
                                    {5, 32, 32, 0},  {33, 7, 9, 3},   {31, 32, 40, 11},
                                    {50, 31, 33, 1}, {64, 33, 40, 8}, {100, 16, 24, 11}};

}  // namespace

TEST_CASE("gather_rows fetches each row of the table, at the rules' cost") {
  for (const Table& table : kTables)
    for (const int block : {32, 96, 512}) check_gather(table, block);
}

TEST_CASE("scatter_rows stores to each row, and leaves header and gaps alone, at the rules' cost") {
  for (const Table& table : kTables)
    for (const int block : {32, 96, 512}) check_scatter(table, block);
}

TEST_CASE("rows of 32 floats behind a header of 11 take five sectors instead of four") {
  if (!course::backend().reports_counters) return;
  constexpr int kRows = 64;
  for (const int header : {0, 8, 11}) {
    CAPTURE(header);
    const std::uint64_t sectors = header == 11 ? 5 : 4;
    const auto gathered = *check_gather({kRows, 32, 40, header});
    CHECK(gathered.global_load.sectors == kRows * (1 + sectors));
    CHECK(gathered.global_store.sectors == kRows * 4);
    const auto scattered = *check_scatter({kRows, 32, 40, header});
    CHECK(scattered.global_load.sectors == kRows * (1 + 4));
    CHECK(scattered.global_store.sectors == kRows * sectors);
  }
}

TEST_CASE("behind a header of 11, rows that are 40 floats apart share no sector") {
  for (int row = 0; row < 100; ++row) {
    const int last = 11 + row * 40 + 31, next = 11 + (row + 1) * 40;
    CHECK(last / course_test::kSectorFloats < next / course_test::kSectorFloats);
  }
}
