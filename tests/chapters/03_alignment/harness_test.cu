/// Checks what chapters/03_alignment/README.md says of harnesses: which mistakes the published one
/// misses and ours finds.

#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include <functional>
#include <vector>

#include "chapters/launch.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/run.hpp"
#include "kernels_under_test.hpp"

using course::DeviceBuffer;
using course_test::launch;

namespace {

constexpr int kN = 1000;
constexpr int kOffset = 11;
constexpr int kBlock = 128;
constexpr int kBlocks = (kN + kBlock - 1) / kBlock;

/// Never reads B.
__global__ void read_a_twice(int n, int offset, const float* A, const float* B, float* C) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = i + offset;
  if (k < n) C[i] = A[k] + A[k];
}

/// Does nothing.
__global__ void read_nothing(int, int, const float*, const float*, float*) {}

/// Launches a kernel under test.
using Launch = std::function<void(const float* a, const float* b, float* c)>;

Launch with(Sum* kernel, int block = kBlock) {
  return [=](const float* a, const float* b, float* c) {
    launch(kernel, {kBlocks, block}, kN, kOffset, a, b, c);
  };
}

std::vector<float> reference(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> sums;
  for (int k = kOffset; k < kN; ++k) sums.push_back(a[k] + b[k]);
  return sums;
}

/// The published program, shortened: B is a copy of A; a correct warm-up kernel leaves its result
/// in C; no launch is checked; the same result is copied and compared three times.
bool published_harness_accepts(const Launch& launch) {
  const auto h_a = course::random_floats(kN, /*seed=*/1);
  const auto h_b = h_a;
  const DeviceBuffer<float> d_a(h_a), d_b(h_a);
  DeviceBuffer<float> d_c(kN);
  const auto host_ref = reference(h_a, h_b);
  with(kernels_under_test().read_offset)(d_a.data(), d_b.data(), d_c.data());
  launch(d_a.data(), d_b.data(), d_c.data());
  static_cast<void>(cudaDeviceSynchronize());

  bool is_right = true;
  for (int check = 0; check < 3; ++check) {
    auto gpu_ref = d_c.to_host();
    gpu_ref.resize(kN - kOffset);
    is_right = is_right && gpu_ref == host_ref;
  }
  static_cast<void>(cudaGetLastError());  // ignores errors, like the published program
  return is_right;
}

/// This course's harness: A and B are drawn independently, C is poisoned before every launch, and
/// every launch is checked.
bool our_harness_accepts(const Launch& launch) {
  course::Run run("read_offset", {.repeat = 2, .warm_up = 1, .flush_l2 = false}, /*seed=*/1, {});
  const auto a_values = course::random_floats(kN, course::derive_seed(run.seed(), 0));
  const auto b_values = course::random_floats(kN, course::derive_seed(run.seed(), 1));
  auto& a = run.input("A", a_values);
  auto& b = run.input("B", b_values);
  auto& c = run.output<float>("C", kN - kOffset);
  try {
    run.launch({}, [&] {
      launch(a.data(), b.data(), c.data());
      course::check_launch();
    });
  } catch (const course::LaunchRefused&) {
    return false;
  }
  run.verify(c, reference(a_values, b_values));
  return run.finish().verified;
}

}  // namespace

TEST_CASE("both harnesses accept read_offset") {
  CHECK(published_harness_accepts(with(kernels_under_test().read_offset)));
  CHECK(our_harness_accepts(with(kernels_under_test().read_offset)));
}

TEST_CASE("a harness that fills B from A cannot notice a kernel that reads A twice") {
  CHECK(published_harness_accepts(with(read_a_twice)));
  CHECK_FALSE(our_harness_accepts(with(read_a_twice)));
}

TEST_CASE(
    "a harness whose warm-up leaves its result in C cannot notice a kernel that does nothing") {
  CHECK(published_harness_accepts(with(read_nothing)));
  CHECK_FALSE(our_harness_accepts(with(read_nothing)));
}

TEST_CASE("a harness that checks no launch cannot notice one that never happened") {
  constexpr int kTooManyThreads = 2048;
  course::without_checking([] {  // the hazard checker would also find the mistake
    CHECK(published_harness_accepts(with(kernels_under_test().read_offset, kTooManyThreads)));
    CHECK_FALSE(our_harness_accepts(with(kernels_under_test().read_offset, kTooManyThreads)));
  });
}
