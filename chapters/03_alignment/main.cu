/// Sectors and lines side by side: one request at a time, as in the figures of a well-known book,
/// then arrays that are read and written from an offset on, and rows in random order.

#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

using course::kWarpSize;
constexpr int kSectorFloats = course::kSectorBytes / sizeof(float);
constexpr int kBlockLimit = 1024;
constexpr float kUnwritten = std::numeric_limits<float>::quiet_NaN();

using course::divide_up;

/// Checks a result of which the kernel writes only a part: where `expected` is kUnwritten, the
/// poison must still be there.
void verify_part(course::Run& run, const course::DeviceBuffer<float>& out,
                 std::vector<float> expected) {
  std::vector<float> actual(out.size());
  out.bytes().download(actual.data());
  for (std::size_t i = 0; i < actual.size(); ++i)
    if (std::isnan(expected[i]) && std::isnan(actual[i])) expected[i] = actual[i] = 0.0f;
  run.verify(out.name(), course::compare(actual, expected));
}

/// Runs one warp in which each lane loads float number source(lane) of `in_count`.
template <class Launch, class Source>
void run_load(course::Run& run, int in_count, Launch launch, Source source) {
  const auto values = course::random_floats(in_count, run.seed());
  std::vector<float> expected(kWarpSize);
  for (int lane = 0; lane < kWarpSize; ++lane) expected[lane] = values[source(lane)];

  auto& in = run.input("in", values);
  auto& out = run.output<float>("out", kWarpSize);
  run.launch({.written_bytes = sizeof(float) * kWarpSize}, [&] {
    launch(in.data(), out.data());
    course::check_launch();
  });
  run.verify(out, expected);
}

/// 32 consecutive floats.
struct Beginning {
  const char* figure;
  int first;
};

const std::vector<Beginning> kBeginnings = {
    {"begins at a line", 0}, {"begins at a sector", 8}, {"misaligned", 11}};

void run_load_from(course::Run& run, const Beginning& beginning) {
  const int first = beginning.first;
  run.parameters({{"figure", beginning.figure}, {"first", first}});
  run_load(
      run, first + kWarpSize,
      [=](const float* in, float* out) { load_from<<<1, kWarpSize>>>(first, in, out); },
      [=](int lane) { return first + lane; });
}

/// Floats from several sectors, which begin `pitch` sectors apart.
struct Spread {
  const char* figure;
  int sectors;
  int pitch;

  int floats() const { return ((sectors - 1) * pitch + 1) * kSectorFloats; }
};

const std::vector<Spread> kLoadSpreads = {{"one line, permuted", 4, 1},
                                          {"scattered", 1, 4},
                                          {"scattered", 4, 4},
                                          {"scattered", 8, 4},
                                          {"scattered", 32, 4}};

void run_load_sectors(course::Run& run, const Spread& spread) {
  const int sectors = spread.sectors, pitch = spread.pitch;
  run.parameters({{"figure", spread.figure}, {"spread", sectors}, {"pitch", pitch}});
  run_load(
      run, spread.floats(),
      [=](const float* in, float* out) { load_sectors<<<1, kWarpSize>>>(sectors, pitch, in, out); },
      [=](int lane) {
        return lane % sectors * pitch * kSectorFloats + lane / sectors % kSectorFloats;
      });
}

void run_load_one_word(course::Run& run) {
  constexpr int kWord = 5;
  run.parameter("figure", "one word for all");
  run_load(
      run, kWord + 1,
      [](const float* in, float* out) { load_one_word<<<1, kWarpSize>>>(kWord, in, out); },
      [](int) { return kWord; });
}

const std::vector<Spread> kStoreSpreads = {{"a whole line", 4, 1},
                                           {"scattered", 3, 2},
                                           {"half a line", 2, 1},
                                           {"the ends of a line", 2, 3}};

void run_store_sectors(course::Run& run, const Spread& spread) {
  const int sectors = spread.sectors, pitch = spread.pitch;
  run.parameters({{"figure", spread.figure}, {"spread", sectors}, {"pitch", pitch}});
  const auto values = course::random_floats(kWarpSize, run.seed());
  std::vector<float> expected(spread.floats(), kUnwritten);
  for (int lane = 0; lane < sectors * kSectorFloats; ++lane)
    expected[lane / kSectorFloats * pitch * kSectorFloats + lane % kSectorFloats] = values[lane];

  auto& in = run.input("in", values);
  auto& out = run.output<float>("out", expected.size());
  run.launch({.written_bytes = 1.0 * course::kSectorBytes * sectors}, [&] {
    store_sectors<<<1, kWarpSize>>>(sectors, pitch, in.data(), out.data());
    course::check_launch();
  });
  verify_part(run, out, expected);
}

/// What the command line chose for the sums of two arrays.
struct Sum {
  int n;
  int block = 512;
};

/// Adds A and B, read from `read_from` on, into C from `write_from` on; n - offset sums.
void run_sum(course::Run& run, const Sum& s, int offset, decltype(read_offset)& kernel,
             int read_from, int write_from) {
  run.parameters({{"n", s.n}, {"offset", offset}, {"block", s.block}});
  constexpr std::uint64_t kArrays = 7;  // A, B, what C must be and is; A, B, C on the device
  course::require_host_memory(kArrays * sizeof(float) * s.n, "the sum");
  const auto a_values = course::random_floats(s.n, course::derive_seed(run.seed(), 0));
  const auto b_values = course::random_floats(s.n, course::derive_seed(run.seed(), 1));
  const int sums = offset < s.n ? s.n - offset : 0;
  std::vector<float> expected(s.n, kUnwritten);
  for (int i = 0; i < sums; ++i)
    expected[write_from + i] = a_values[read_from + i] + b_values[read_from + i];

  auto& a = run.input("A", a_values);
  auto& b = run.input("B", b_values);
  auto& c = run.output<float>("C", s.n);
  const double bytes = 1.0 * sizeof(float) * sums;
  run.launch({.read_bytes = 2 * bytes, .written_bytes = bytes, .flops = 1.0 * sums}, [&] {
    const int blocks = divide_up(s.n, s.block);
    if (s.n > 0) kernel<<<blocks, s.block>>>(s.n, offset, a.data(), b.data(), c.data());
    course::check_launch();
  });
  verify_part(run, c, expected);
}

/// What the command line chose for the rows of a table.
struct Rows {
  int rows;
  int cols = 32;
  int pitch = 40;

  std::size_t floats() const { return static_cast<std::size_t>(rows) * cols; }
  std::size_t table_floats(int header) const {
    return header + static_cast<std::size_t>(rows) * pitch;
  }
};

/// Moves rows between a table and an array that has them in the order of random ids.
/// `launch(blocks, ids, in, out)` starts the kernel; `is_gather`: the table is what it reads.
template <class Launch>
void run_rows(course::Run& run, const Rows& r, int block, int header, bool is_gather,
              Launch launch) {
  run.parameters({{"rows", r.rows}, {"cols", r.cols}, {"pitch", r.pitch}, {"header", header}});
  if (r.pitch < r.cols) throw course::UsageError("--pitch: rows of --cols floats would overlap");
  if (r.table_floats(header) > INT_MAX)
    throw course::UsageError("--rows, --pitch and --header: the table has 2^31 floats or more");
  course::require_host_memory(sizeof(float) * (4 * r.table_floats(header) + 2 * r.floats()),
                              "the rows");

  const auto ids = course::random_permutation(r.rows, course::derive_seed(run.seed(), 1));
  const auto place = [&](int row) { return header + static_cast<std::size_t>(ids[row]) * r.pitch; };
  const auto values = course::random_floats(is_gather ? r.table_floats(header) : r.floats(),
                                            course::derive_seed(run.seed(), 0));
  std::vector<float> expected(is_gather ? r.floats() : r.table_floats(header), kUnwritten);
  for (int row = 0; row < r.rows; ++row) {
    const std::size_t in_order = static_cast<std::size_t>(row) * r.cols;
    for (int col = 0; col < r.cols; ++col) {
      if (is_gather) expected[in_order + col] = values[place(row) + col];
      if (!is_gather) expected[place(row) + col] = values[in_order + col];
    }
  }

  auto& device_ids = run.input("ids", ids);
  auto& in = run.input(is_gather ? "table" : "in", values);
  auto& out = run.output<float>(is_gather ? "out" : "table", expected.size());
  const double bytes = 1.0 * sizeof(float) * r.floats();
  run.launch({.read_bytes = bytes + sizeof(int) * ids.size(), .written_bytes = bytes}, [&] {
    const int blocks = static_cast<int>(divide_up(r.floats(), block));
    if (r.rows > 0) launch(blocks, device_ids.data(), in.data(), out.data());
    course::check_launch();
  });
  verify_part(run, out, expected);
}

const std::vector<course::Column> kLoadFigureColumns = {
    "kernel",
    "figure",
    {"load requests", "global_load_requests"},
    {"sectors", "global_load_sectors"},
    {"lines", "global_load_lines"},
    {"% by sector", "global_load_efficiency_pct"},
    {"% by line", "global_load_line_efficiency_pct"},
    "verified"};

const std::vector<course::Column> kStoreFigureColumns = {
    "kernel",
    "figure",
    {"store requests", "global_store_requests"},
    {"sectors", "global_store_sectors"},
    {"lines", "global_store_lines"},
    {"% by sector", "global_store_efficiency_pct"},
    {"% by line", "global_store_line_efficiency_pct"},
    "verified"};

const std::vector<course::Column> kReadColumns = {"kernel",
                                                  "offset",
                                                  {"load requests", "global_load_requests"},
                                                  {"sectors", "global_load_sectors"},
                                                  {"lines", "global_load_lines"},
                                                  {"% by sector", "global_load_efficiency_pct"},
                                                  {"% by line", "global_load_line_efficiency_pct"},
                                                  "verified",
                                                  {"ms", "time_ms"},
                                                  {"useful GB/s", "gb_per_s"}};

const std::vector<course::Column> kWriteColumns = {
    "kernel",
    "offset",
    {"store requests", "global_store_requests"},
    {"sectors", "global_store_sectors"},
    {"lines", "global_store_lines"},
    {"% by sector", "global_store_efficiency_pct"},
    {"% by line", "global_store_line_efficiency_pct"},
    "verified",
    {"ms", "time_ms"},
    {"useful GB/s", "gb_per_s"}};

const std::vector<course::Column> kRowColumns = {"kernel",
                                                 "header",
                                                 {"load sectors", "global_load_sectors"},
                                                 {"store sectors", "global_store_sectors"},
                                                 "verified",
                                                 {"ms", "time_ms"},
                                                 {"useful GB/s", "gb_per_s"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("03_alignment", "Where does a request begin?", argc, argv);

  Sum s = {.n = course::default_for({.counting = 1 << 20, .timing = 1 << 26})};
  std::vector<int> offsets = {0, 11, 128};
  program.option("n", s.n, "elements of each array", {0, 1 << 30});
  program.option("offset", offsets, "where in the arrays the work begins", {0, INT_MAX});
  program.option("block", s.block, "threads of a block", {1, kBlockLimit});

  Rows r = {.rows = course::default_for({.counting = 1 << 12, .timing = 1 << 22})};
  program.option("rows", r.rows, "rows of the table", {0, 1 << 24});
  program.option("cols", r.cols, "floats of a row", {1, 64});
  std::vector<int> headers = {0, 11};
  program.option("header", headers, "floats in front of the table's first row", {0, 1 << 10});
  program.option("pitch", r.pitch, "floats between the beginnings of two rows", {1, 1 << 10});

  program.section("One request that loads: which sectors, which lines?", kLoadFigureColumns);
  program.experiment("load_from", "32 consecutive floats", kBeginnings, run_load_from);
  program.experiment("load_sectors", "floats from 1 to 32 sectors, in some order", kLoadSpreads,
                     run_load_sectors);
  program.experiment("load_one_word", "one float for all lanes", run_load_one_word);

  program.section("One request that stores", kStoreFigureColumns);
  program.experiment("store_sectors", "whole sectors, side by side or apart", kStoreSpreads,
                     run_store_sectors);

  program.section("C[i] = A[i + offset] + B[i + offset]: the loads", kReadColumns);
  program.experiment(
      "read_offset", "reads from the offset on", offsets,
      [&](course::Run& run, int offset) { run_sum(run, s, offset, read_offset, offset, 0); });
  program.experiment("read_offset_l2_only", "the same with loads that pass L1 by", offsets,
                     [&](course::Run& run, int offset) {
                       run_sum(run, s, offset, read_offset_l2_only, offset, 0);
                     });

  program.section("C[i + offset] = A[i] + B[i]: the stores", kWriteColumns);
  program.experiment(
      "write_offset", "writes from the offset on", offsets,
      [&](course::Run& run, int offset) { run_sum(run, s, offset, write_offset, 0, offset); });

  program.section("Rows of a table, in random order", kRowColumns);
  program.experiment("gather_rows", "fetches rows of a table that lies behind a header", headers,
                     [&](course::Run& run, int header) {
                       run_rows(run, r, s.block, header, true,
                                [&](int blocks, const int* ids, const float* table, float* out) {
                                  gather_rows<<<blocks, s.block>>>(r.rows, r.cols, r.pitch, header,
                                                                   ids, table, out);
                                });
                     });
  program.experiment("scatter_rows", "stores rows into such a table", headers,
                     [&](course::Run& run, int header) {
                       run_rows(run, r, s.block, header, false,
                                [&](int blocks, const int* ids, const float* in, float* table) {
                                  scatter_rows<<<blocks, s.block>>>(r.rows, r.cols, r.pitch, header,
                                                                    ids, in, table);
                                });
                     });
  return program.run();
}
