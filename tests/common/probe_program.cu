/// @file
/// A chapter made of mistakes: every kernel but `copy` has a different one.

#include <cstdlib>
#include <string>
#include <vector>

#include "all_headers.hpp"

namespace {

constexpr int kBlock = 128;

__global__ void copy(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

/// Leaves out the last element.
__global__ void copy_short(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = in[i];
}

/// Writes one element too many.
__global__ void copy_beyond(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = i < n ? in[i] : 0.0f;
}

/// Reads and writes one element too many: copies the memory after the input past the output.
__global__ void copy_both_beyond(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = in[i];
}

/// Writes one element before the first.
__global__ void copy_before(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
  if (i == 0) out[-1] = in[0];
}

/// Increments the old values.
__global__ void increment(int n, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1.0f;
}

/// Writes to invalid addresses.
__global__ void copy_astray(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *reinterpret_cast<float*>(std::size_t{16} * (i + 1)) = in[i];
  if (i < n) out[i] = in[i];
}

unsigned blocks_for(int n) { return static_cast<unsigned>((n + kBlock - 1) / kBlock); }

}  // namespace

int main(int argc, char** argv) {
  course::Program program("00_probe", "What goes wrong?", argc, argv);
  int n = course::default_for({.counting = 1000, .timing = 1 << 24});
  std::vector<int> strides = {1, 2};
  std::int64_t shift = 0;
  float alpha = 0.1f;
  double tolerance = 0.5;
  std::string label;
  program.option("n", n, "elements to copy", {.min = 0, .max = 1 << 30});
  program.option("stride", strides, "nothing in particular", {.min = 1, .max = 32});
  program.option("shift", shift, "added to n", {.min = 0});
  program.option("alpha", alpha, "a number");
  program.option("tolerance", tolerance, "a number of at least 0", {.min = 0.0});
  program.option("label", label, "a word");
  program.require([&] { return n == 13 ? "13 elements bring bad luck" : ""; });

  using Kernel = void (*)(int, const float*, float*);
  const auto run_copy = [&](course::Run& run, Kernel kernel) {
    run.parameters({{"n", n}, {"alpha", alpha}});
    if (!label.empty()) run.parameter("label", label);
    const std::vector<float> values =
        course::random_floats(static_cast<std::size_t>(n), run.seed());
    auto& in = run.input("in", values);
    auto& out = run.output<float>("out", values.size());
    const double bytes = 4.0 * n;
    run.launch({.read_bytes = bytes, .written_bytes = bytes}, [&] {
      if (n > 0) kernel<<<blocks_for(n), kBlock>>>(n, in.data(), out.data());
    });
    run.verify(out, values);
  };

  program.section("Copies", {"kernel",
                             "n",
                             "alpha",
                             {"requests", "global_load_requests"},
                             {"sectors/request", "global_load_sectors / global_load_requests"},
                             {"GB/s", "gb_per_s"}});
  program.note("Only the first is right.");
  program.experiment("copy", "out = in", [&](course::Run& run) { run_copy(run, copy); });
  program.experiment("copy_short", "leaves out the last element",
                     [&](course::Run& run) { run_copy(run, copy_short); });
  program.experiment("copy_beyond", "writes one too many",
                     [&](course::Run& run) { run_copy(run, copy_beyond); });
  program.experiment("copy_both_beyond", "reads one too many too",
                     [&](course::Run& run) { run_copy(run, copy_both_beyond); });
  program.experiment("copy_before", "writes one before",
                     [&](course::Run& run) { run_copy(run, copy_before); });
  program.experiment("copy_nothing", "launches nothing at all", [&](course::Run& run) {
    run.parameter("n", n);
    auto& out = run.output<float>("out", static_cast<std::size_t>(n));
    run.launch({}, [] {});
    run.verify(out, std::vector<float>(static_cast<std::size_t>(n), 0.0f));
  });
  program.experiment(
      "copy_quarter", "does a quarter of the work, over an earlier run's answer",
      [&](course::Run& run) {
        run.parameter("n", n);
        const std::vector<float> values =
            course::random_floats(static_cast<std::size_t>(n), run.seed());
        auto& in = run.input("in", values);
        auto& stale =
            run.input("out", values);  // never poisoned: the right answer before the launch
        const double bytes = 4.0 * n;
        run.launch({.read_bytes = bytes, .written_bytes = bytes}, [&] {
          copy<<<blocks_for(n / 4), kBlock>>>(n / 4, in.data(), const_cast<float*>(stale.data()));
        });
        run.verify(stale, values);
      });
  program.experiment("unchecked", "checks nothing", [&](course::Run& run) {
    auto& out = run.output<int>("out", 1);
    run.launch({}, [] {});
    (void)out;
  });
  program.experiment("idle", "does nothing", [](course::Run&) {});

  program.section("Others", {"kernel", "stride", "verified"});
  program.experiment("increment", "a kernel that reads what it writes", strides,
                     [&](course::Run& run, int stride) {
                       run.parameter("stride", stride);
                       std::vector<float> values = course::random_floats(100, run.seed());
                       auto& in_out = run.in_out("values", values);
                       run.launch({.flops = 100.0},
                                  [&] { increment<<<1, kBlock>>>(100, in_out.data()); });
                       for (float& value : values) value += 1.0f;
                       run.verify(in_out, values);
                     });
  program.experiment("sgemm", "C = A B, left to the host", [&](course::Run& run) {
    const course::SgemmProblem problem =
        course::make_sgemm_problem({.m = 5, .n = 7, .k = 9}, run.seed());
    auto& c = run.in_out("C", problem.expected);
    run.launch({}, [] {});
    run.verify_sgemm(c, problem);
  });
  program.experiment("refused", "asks for a block that is too large", [&](course::Run& run) {
    auto& out = run.output<float>("out", 1);
    run.launch({}, [&] { increment<<<1, 4096>>>(1, out.data()); });
  });
  program.experiment("throws", "throws what it should not",
                     [](course::Run&) { throw std::runtime_error("first line\nsecond line"); });
  program.experiment("greedy", "asks for more memory than there is", [&](course::Run& run) {
    run.output<double>("everything", std::size_t{1} << 56);
  });
  program.experiment(
      "overflowing", "asks for more memory than can be counted",
      [&](course::Run& run) { run.output<double>("everything", ~std::size_t{0} / 4); });
  program.experiment("astray", "touches a bad address",
                     [&](course::Run& run) { run_copy(run, copy_astray); });
  program.experiment("after", "does nothing, after all others", [](course::Run&) {});
  return program.run();
}
