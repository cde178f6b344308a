/// One request, how many sectors: copies with lanes near and far, then SGEMM with a warp along a
/// column or along a row of C.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>
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
constexpr int kCopyThreads = 256;
constexpr int kGridYLimit = 65535;  // blocks of a grid along y
constexpr int kL1Threads = 1024;    // of a block that reads from L1
constexpr int kL1Blocks = 2;        // of these, a multiprocessor has room for

using course::divide_up;

/// Copies `n` elements of which number i comes from source(i), one of `in_count`.
template <class T, class Launch, class Source>
void run_copy(course::Run& run, int n, std::size_t in_count, Launch launch, Source source) {
  run.parameter("elements", n);
  const std::uint64_t input_bytes = in_count * (sizeof(float) + sizeof(T));  // drawn, and as T
  const std::uint64_t output_bytes = 2 * sizeof(T) * static_cast<std::uint64_t>(n);
  course::require_host_memory(input_bytes + output_bytes, "the copy");
  const auto floats = course::random_floats(in_count, run.seed());
  const std::vector<T> values(floats.begin(), floats.end());
  std::vector<T> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = values[source(i)];

  auto& in = run.input("in", values);
  auto& out = run.output<T>("out", n);
  const std::size_t used = std::min<std::size_t>(n, in_count);  // of the elements of `in`
  run.launch({.read_bytes = 1.0 * sizeof(T) * used, .written_bytes = 1.0 * sizeof(T) * n}, [&] {
    if (n > 0) launch(divide_up(n, kCopyThreads), in.data(), out.data());
    course::check_launch();
  });
  run.verify(out, expected);
}

/// Copies every stride-th element of `n` x stride.
void run_strided(course::Run& run, int n, int stride) {
  run.parameter("stride", stride);
  run_copy<float>(
      run, n, std::size_t(n) * stride,
      [&](int blocks, const float* in, float* out) {
        copy_strided<<<blocks, kCopyThreads>>>(n, stride, in, out);
      },
      [=](std::size_t i) { return i * stride; });
}

/// Does so while L2 may fetch `bytes` from DRAM where it needs a sector: a hint to the device.
void run_fetching(course::Run& run, int n, int stride, int bytes) {
  run.parameter("l2_fetch", bytes);
  std::size_t usual = 0;
  course::check(cudaDeviceGetLimit(&usual, cudaLimitMaxL2FetchGranularity));
  course::check(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, bytes));
  run.parameter("l2_fetch_usually", static_cast<int>(usual));
  run_strided(run, n, stride);
  course::check(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, usual));
}

/// Reads floats that stay in L1, with as many warps as the device has room for.
void run_l1(course::Run& run, int passes, int lines, int stride) {
  const int multiprocessors = course::current_device().multiprocessors;
  const int blocks = kL1Blocks * multiprocessors;
  const int warps_each = kL1Blocks * kL1Threads / kWarpSize;
  run.parameters({{"stride", stride}, {"passes", passes}, {"lines", lines}});
  run.parameter("million_requests_each", 1e-6 * warps_each * passes * lines);

  const std::size_t in_count = std::size_t(kWarpSize) * lines + (kWarpSize - 1) * stride;
  const auto values = course::random_floats(in_count, run.seed());
  std::vector<float> sums(kWarpSize, 0.0f);  // all warps read the same
  for (int lane = 0; lane < kWarpSize; ++lane)
    for (int pass = 0; pass < passes; ++pass)
      for (int line = 0; line < lines; ++line)
        sums[lane] += values[lane * stride + line * kWarpSize];
  std::vector<float> expected(std::size_t(blocks) * kL1Threads);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = sums[i % kWarpSize];

  auto& in = run.input("in", values);
  auto& out = run.output<float>("out", expected.size());
  run.launch({.written_bytes = 1.0 * sizeof(float) * expected.size()},
             [&] {
               read_from_l1<<<blocks, kL1Threads>>>(passes, lines, stride, in.data(), out.data());
               course::check_launch();
             },
             {.flush_l2 = false});  // the lesson is L1
  run.verify(out, expected);
}

/// What the command line chose for the SGEMM kernels.
struct Sgemm {
  int m, n, k;
  float alpha = 1.0f;
  float beta = 0.5f;
  int block = kWarpSize;
};

void naive(const Sgemm& s, const float* a, const float* b, float* c) {
  const dim3 grid(divide_up(s.m, s.block), divide_up(s.n, s.block));
  const dim3 block(s.block, s.block);
  sgemm_naive<<<grid, block>>>(s.m, s.n, s.k, s.alpha, a, b, s.beta, c);
}

void coalesced(const Sgemm& s, const float* a, const float* b, float* c) {
  const dim3 grid(divide_up(s.n, s.block), divide_up(s.m, s.block));
  const int block = s.block * s.block;
  sgemm_coalesced<<<grid, block>>>(s.m, s.n, s.k, s.alpha, a, b, s.beta, c, s.block);
}

void coalesced_2d(const Sgemm& s, const float* a, const float* b, float* c) {
  const dim3 grid(divide_up(s.n, s.block), divide_up(s.m, s.block));
  const dim3 block(s.block, s.block);
  sgemm_coalesced_2d<<<grid, block>>>(s.m, s.n, s.k, s.alpha, a, b, s.beta, c);
}

/// Multiplies random matrices with one of the launches above.
void run_sgemm(course::Run& run, const Sgemm& s, decltype(naive)& launch) {
  const double c_elements = 1.0 * s.m * s.n;
  const double c_reads = s.beta == 0.0f ? 0.0 : c_elements;
  const double ab_elements = c_elements == 0.0 ? 0.0 : 1.0 * s.m * s.k + 1.0 * s.k * s.n;
  const double requested = 2.0 * s.m * s.n * s.k + c_reads;  // floats that the lanes ask for
  run.parameters({{"m", s.m}, {"n", s.n}, {"k", s.k}, {"alpha", s.alpha}, {"beta", s.beta}});
  run.parameters({{"block", s.block}, {"requested_mb", sizeof(float) * requested / 1e6}});

  const auto problem = course::make_sgemm_problem({s.m, s.n, s.k}, run.seed(), s.alpha, s.beta);
  auto& a = run.input("A", problem.a);
  auto& b = run.input("B", problem.b);
  auto& c = run.in_out("C", problem.c);
  run.launch({.read_bytes = sizeof(float) * (ab_elements + c_reads),
              .written_bytes = sizeof(float) * c_elements,
              .flops = problem.size.flops()},
             [&] {
               if (c_elements > 0) launch(s, a.data(), b.data(), c.data());
               course::check_launch();
             });
  run.verify_sgemm(c, problem);
}

/// What is wrong with a choice of sizes, in one line; nothing if it can be run.
std::string complaint(const Sgemm& s, int elements, const std::vector<int>& strides) {
  for (const int stride : strides)
    if (1LL * elements * stride > INT_MAX) return "--elements x --stride: at most 2147483647";
  for (const long long size : {1LL * s.m * s.k, 1LL * s.k * s.n, 1LL * s.m * s.n})
    if (size > INT_MAX) return "--m, --n, --k: a matrix has at most 2147483647 elements";
  for (const int side : {s.m, s.n})
    if (side / s.block >= kGridYLimit) return "--m, --n: less than 65535 x --block";
  return "";
}

const std::vector<course::Column> kCopyColumns = {
    "kernel",
    "stride",
    {"load requests", "global_load_requests"},
    {"load sectors", "global_load_sectors"},
    {"sectors/request", "global_load_sectors / global_load_requests"},
    {"efficiency %", "global_load_efficiency_pct"},
    "verified",
    {"ms", "time_ms"},
    {"useful GB/s", "gb_per_s"}};

const std::vector<course::Column> kFetchColumns = {"kernel",
                                                   "stride",
                                                   {"fetch, bytes", "l2_fetch"},
                                                   {"load sectors", "global_load_sectors"},
                                                   "verified",
                                                   {"ms", "time_ms"},
                                                   {"useful GB/s", "gb_per_s"}};

const std::vector<course::Column> kL1Columns = {
    "kernel",
    "stride",
    {"load requests", "global_load_requests"},
    {"lines/request", "global_load_lines / global_load_requests"},
    {"sectors/request", "global_load_sectors / global_load_requests"},
    "verified",
    {"ms", "time_ms"},
    {"ns/request", "time_ms / million_requests_each"}};

const std::vector<course::Column> kSgemmColumns = {
    "kernel",
    {"load requests", "global_load_requests"},
    {"load sectors", "global_load_sectors"},
    {"sectors/request", "global_load_sectors / global_load_requests"},
    {"efficiency %", "global_load_efficiency_pct"},
    "verified",
    {"ms", "time_ms"},
    {"GFLOP/s", "gflop_per_s"},
    {"GB/s requested", "requested_mb / time_ms"},
    {"GB/s if moved once", "gb_per_s"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("02_coalescing", "One request: how many sectors?", argc, argv);

  int n = course::default_for({.counting = 1 << 18, .timing = 1 << 23});
  std::vector<int> strides = {1, 2, 4, 8, 32};
  std::vector<int> l1_strides = {1, 9, 17, 25, 33, 4, 8, 16, 32, 36, 40, 48};
  int passes = course::default_for({.counting = 1, .timing = 256});
  int lines = course::default_for({.counting = 8, .timing = 128});
  std::vector<int> l2_fetches = {32, 64, 128};
  const int edge = course::default_for({.counting = 512, .timing = 4096});
  Sgemm s = {.m = edge, .n = edge, .k = edge};
  program.option("elements", n, "elements to copy", {0, 1 << 28});
  program.option("stride", strides, "floats between neighbouring lanes", {1, 1 << 20});
  program.option("m", s.m, "rows of A and C", {0, INT_MAX});
  program.option("n", s.n, "columns of B and C", {0, INT_MAX});
  program.option("k", s.k, "columns of A, rows of B", {0, INT_MAX});
  program.option("alpha", s.alpha, "factor of A B");
  program.option("beta", s.beta, "factor of C; 0 does not read C");
  program.option("block", s.block, "threads along each side of a tile of C", {1, kWarpSize});
  program.option("l1-stride", l1_strides, "floats between lanes that read from L1", {1, 128});
  program.option("passes", passes, "times that the same floats are read from L1", {1, 1 << 16});
  program.option("lines", lines, "lines that a lane reads from L1 in a pass", {1, 1024});
  program.option("l2-fetch", l2_fetches, "bytes that L2 may fetch where it needs a sector",
                 {32, 128});
  program.require([&] { return complaint(s, n, strides); });

  program.section("Copies: one request of 32 lanes, how many sectors?", kCopyColumns);
  program.experiment("copy_strided", "lane i reads element i x stride", strides,
                     [&](course::Run& run, int stride) { run_strided(run, n, stride); });
  program.experiment("copy_permuted", "the lanes of a warp in another order",
                     [&](course::Run& run) {
                       run_copy<float>(
                           run, n, n,
                           [&](int blocks, const float* in, float* out) {
                             copy_permuted<<<blocks, kCopyThreads>>>(n, in, out);
                           },
                           [](std::size_t i) { return i; });
                     });
  program.experiment("copy_broadcast", "all lanes of a warp read the same element",
                     [&](course::Run& run) {
                       run_copy<float>(
                           run, n, divide_up(n, kWarpSize),
                           [&](int blocks, const float* in, float* out) {
                             copy_broadcast<<<blocks, kCopyThreads>>>(n, in, out);
                           },
                           [](std::size_t i) { return i / kWarpSize; });
                     });
  program.experiment("copy_doubles", "elements of 8 bytes", [&](course::Run& run) {
    run_copy<double>(
        run, n, n,
        [&](int blocks, const double* in, double* out) {
          copy_doubles<<<blocks, kCopyThreads>>>(n, in, out);
        },
        [](std::size_t i) { return i; });
  });

  program.section("C = alpha A B + beta C: a warp along a column or a row of C", kSgemmColumns);
  program.experiment("sgemm_naive", "neighbouring lanes take neighbouring rows of C",
                     [&](course::Run& run) { run_sgemm(run, s, naive); });
  program.experiment("sgemm_coalesced", "neighbouring lanes take neighbouring columns, by / and %",
                     [&](course::Run& run) { run_sgemm(run, s, coalesced); });
  program.experiment("sgemm_coalesced_2d", "the same with a two-dimensional block",
                     [&](course::Run& run) { run_sgemm(run, s, coalesced_2d); });

  program.section("The last stride again: how many bytes may L2 fetch for a sector?",
                  kFetchColumns);
  program.experiment(
      "copy_fetching", "copy_strided, while L2 may fetch fewer or more bytes", l2_fetches,
      [&](course::Run& run, int bytes) { run_fetching(run, n, strides.back(), bytes); });

  program.section("Reading floats that L1 holds: lines, and lanes that queue", kL1Columns);
  program.experiment("read_from_l1", "lanes read floats that stay in L1", l1_strides,
                     [&](course::Run& run, int stride) { run_l1(run, passes, lines, stride); });
  return program.run();
}
