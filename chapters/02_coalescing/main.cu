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
  program.require([&] { return complaint(s, n, strides); });

  program.section("Copies: one request of 32 lanes, how many sectors?", kCopyColumns);
  program.experiment("copy_strided", "lane i reads element i x stride", strides,
                     [&](course::Run& run, int stride) {
                       run.parameter("stride", stride);
                       run_copy<float>(
                           run, n, std::size_t(n) * stride,
                           [&](int blocks, const float* in, float* out) {
                             copy_strided<<<blocks, kCopyThreads>>>(n, stride, in, out);
                           },
                           [=](std::size_t i) { return i * stride; });
                     });
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
  return program.run();
}
