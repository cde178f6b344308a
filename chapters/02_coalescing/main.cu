/// One request, how many sectors: copies with lanes near and far, then SGEMM with a warp along a
/// column or a row of C.

#include <climits>
#include <functional>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

constexpr int kWarpSize = 32;
constexpr int kCopyThreads = 256;
constexpr int kGridYLimit = 65535;  // blocks of a grid along y

int divide_up(int a, int b) { return (a + b - 1) / b; }

/// Runs a copy of `n` elements; element i of the result is element source(i) of `in_count`.
template <class T, class Launch, class Source>
void run_copy(course::Run& run, int n, std::size_t in_count, Launch launch, Source source) {
  const auto floats = course::random_floats(in_count, run.seed());
  const std::vector<T> in(floats.begin(), floats.end());
  std::vector<T> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[source(i)];

  auto& device_in = run.input("in", in);
  auto& out = run.output<T>("out", n);
  const std::size_t used = std::min<std::size_t>(n, in_count);  // elements of `in` that are read
  run.launch({.read_bytes = 1.0 * sizeof(T) * used, .written_bytes = 1.0 * sizeof(T) * n}, [&] {
    if (n == 0) return;
    launch(divide_up(n, kCopyThreads), device_in.data(), out.data());
    course::check_launch();
  });
  run.verify(out, expected);
}

/// What the command line chose for the SGEMM kernels.
struct SgemmChoice {
  int m, n, k;
  float alpha = 1.0f;
  float beta = 0.5f;
  int block = kWarpSize;
};

/// Runs one SGEMM kernel through `launch`, which is given A, B and C on the device.
void run_sgemm(course::Run& run, const SgemmChoice& s,
               const std::function<void(const float*, const float*, float*)>& launch) {
  const double products = 1.0 * s.m * s.n * s.k;
  const double c_elements = 1.0 * s.m * s.n;
  const double c_reads = s.beta == 0.0f ? 0.0 : c_elements;
  run.parameters({{"m", s.m}, {"n", s.n}, {"k", s.k}, {"alpha", s.alpha}, {"beta", s.beta},
                  {"block", s.block},
                  {"requested_mb", sizeof(float) * (2.0 * products + c_reads) / 1e6}});

  const auto problem = course::make_sgemm_problem({s.m, s.n, s.k}, run.seed(), s.alpha, s.beta);
  auto& a = run.input("A", problem.a);
  auto& b = run.input("B", problem.b);
  auto& c = run.in_out("C", problem.c);
  const double ab_elements = s.m > 0 && s.n > 0 ? 1.0 * s.m * s.k + 1.0 * s.k * s.n : 0.0;
  run.launch({.read_bytes = sizeof(float) * (ab_elements + c_reads),
              .written_bytes = sizeof(float) * c_elements,
              .flops = problem.size.flops()},
             [&] {
               if (s.m == 0 || s.n == 0) return;
               launch(a.data(), b.data(), c.data());
               course::check_launch();
             });
  run.verify_sgemm(c, problem);
}

}  // namespace

int main(int argc, char** argv) {
  course::Program program("02_coalescing", "One request: how many sectors?", argc, argv);

  int n = course::default_for({.counting = 1 << 18, .timing = 1 << 23});
  std::vector<int> strides = {1, 2, 4, 8, 32};
  const int edge = course::default_for({.counting = 256, .timing = 4096});
  SgemmChoice s = {.m = edge, .n = edge, .k = edge};
  program.option("elements", n, "elements to copy", {0, 1 << 28});
  program.option("stride", strides, "floats between neighbouring lanes", {1, 1 << 20});
  program.option("m", s.m, "rows of A and C", {0, INT_MAX});
  program.option("n", s.n, "columns of B and C", {0, INT_MAX});
  program.option("k", s.k, "columns of A, rows of B", {0, INT_MAX});
  program.option("alpha", s.alpha, "factor of A B");
  program.option("beta", s.beta, "factor of C; 0 does not read C");
  program.option("block", s.block, "threads along each side of a tile of C", {1, kWarpSize});
  program.require([&]() -> std::string {
    for (const int stride : strides)
      if (1LL * n * stride > INT_MAX) return "--elements x --stride: at most 2147483647";
    for (const long long elements : {1LL * s.m * s.k, 1LL * s.k * s.n, 1LL * s.m * s.n})
      if (elements > INT_MAX) return "--m, --n, --k: a matrix has at most 2147483647 elements";
    for (const int side : {s.m, s.n})
      if (side / s.block >= kGridYLimit) return "--m, --n: at most 65535 x --block";
    return "";
  });

  program.section("One warp, one request: how many sectors?",
                  {"kernel", "stride", {"load requests", "global_load_requests"},
                   {"load sectors", "global_load_sectors"},
                   {"sectors/request", "global_load_sectors / global_load_requests"},
                   {"efficiency %", "global_load_efficiency_pct"}, "verified", {"ms", "time_ms"},
                   {"useful GB/s", "gb_per_s"}});
  program.experiment(
      "copy_strided", "lane i reads element i x stride", strides,
      [&](course::Run& run, int stride) {
        run.parameters({{"elements", n}, {"stride", stride}});
        run_copy<float>(
            run, n, static_cast<std::size_t>(n) * stride,
            [&](int blocks, const float* in, float* out) {
              copy_strided<<<blocks, kCopyThreads>>>(n, stride, in, out);
            },
            [&](std::size_t i) { return i * stride; });
      });
  program.experiment("copy_permuted", "the lanes of a warp in another order",
                     [&](course::Run& run) {
                       run.parameter("elements", n);
                       run_copy<float>(
                           run, n, n,
                           [&](int blocks, const float* in, float* out) {
                             copy_permuted<<<blocks, kCopyThreads>>>(n, in, out);
                           },
                           [](std::size_t i) { return i; });
                     });
  program.experiment("copy_broadcast", "all lanes of a warp read the same element",
                     [&](course::Run& run) {
                       run.parameter("elements", n);
                       run_copy<float>(
                           run, n, divide_up(n, kWarpSize),
                           [&](int blocks, const float* in, float* out) {
                             copy_broadcast<<<blocks, kCopyThreads>>>(n, in, out);
                           },
                           [](std::size_t i) { return i / kWarpSize; });
                     });
  program.experiment("copy_doubles", "elements of 8 bytes", [&](course::Run& run) {
    run.parameter("elements", n);
    run_copy<double>(
        run, n, n,
        [&](int blocks, const double* in, double* out) {
          copy_doubles<<<blocks, kCopyThreads>>>(n, in, out);
        },
        [](std::size_t i) { return i; });
  });

  program.section("C = alpha A B + beta C: a warp along a column or a row of C",
                  {"kernel", "m", "n", "k", {"load requests", "global_load_requests"},
                   {"load sectors", "global_load_sectors"},
                   {"sectors/request", "global_load_sectors / global_load_requests"},
                   {"efficiency %", "global_load_efficiency_pct"}, "verified", {"ms", "time_ms"},
                   {"GFLOP/s", "gflop_per_s"}, {"GB/s requested", "requested_mb / time_ms"},
                   {"GB/s at least from DRAM", "gb_per_s"}});
  program.experiment("sgemm_naive", "neighbouring lanes take neighbouring rows of C",
                     [&](course::Run& run) {
                       run_sgemm(run, s, [&](const float* a, const float* b, float* c) {
                         const dim3 grid(divide_up(s.m, s.block), divide_up(s.n, s.block));
                         const dim3 block(s.block, s.block);
                         sgemm_naive<<<grid, block>>>(s.m, s.n, s.k, s.alpha, a, b, s.beta, c);
                       });
                     });
  program.experiment("sgemm_coalesced", "neighbouring lanes take neighbouring columns, by / and %",
                     [&](course::Run& run) {
                       run_sgemm(run, s, [&](const float* a, const float* b, float* c) {
                         const dim3 grid(divide_up(s.n, s.block), divide_up(s.m, s.block));
                         const dim3 block(s.block * s.block);
                         sgemm_coalesced<<<grid, block>>>(s.m, s.n, s.k, s.alpha, a, b, s.beta, c,
                                                          s.block);
                       });
                     });
  program.experiment("sgemm_coalesced_2d", "the same with a two-dimensional block",
                     [&](course::Run& run) {
                       run_sgemm(run, s, [&](const float* a, const float* b, float* c) {
                         const dim3 grid(divide_up(s.n, s.block), divide_up(s.m, s.block));
                         const dim3 block(s.block, s.block);
                         sgemm_coalesced_2d<<<grid, block>>>(s.m, s.n, s.k, s.alpha, a, b, s.beta,
                                                             c);
                       });
                     });
  return program.run();
}
