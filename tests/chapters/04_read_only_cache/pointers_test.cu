/// Checks what chapters/04_read_only_cache/README.md says of the copies and the polynomials.

#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/compare.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "kernels_under_test.hpp"

using course::DeviceBuffer;
using course_test::for_each_warp;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

constexpr int kThreads = 128;
constexpr int kCoefficients = 4;

using course::divide_up;

std::optional<course::Counters> check_copy(Copy* kernel, int n) {
  CAPTURE(n);
  const auto values = course::random_floats(n, /*seed=*/5);
  const DeviceBuffer<float> in(values);
  DeviceBuffer<float> out(n);
  const auto counted = course::count([&] {
    if (n > 0) launch(kernel, {divide_up(n, kThreads), kThreads}, n, in.data(), out.data());
    course::check_launch();
  });
  CHECK(out.to_host() == values);
  if (!counted) return counted;

  RequestModel model;
  for_each_warp(n, kThreads, [&](int first, int lanes) {
    std::vector<std::int64_t> elements;
    for (int i = first; i < first + lanes; ++i) elements.push_back(i);
    model.request(elements, sizeof(float));
  });
  CHECK(counted->global_load == model.counters());
  CHECK(counted->global_store == model.counters());
  return counted;
}

void check_copy_at_sizes(Copy* kernel) {
  for (const int n : {0, 1, 31, 32, 33, 127, 128, 129, 1000}) check_copy(kernel, n);
}

/// The inputs of the polynomial kernels, and the results of polynomial_plain's loop.
struct Polynomials {
  int n, rows;
  std::vector<float> c = course::random_floats(kCoefficients, /*seed=*/6);
  std::vector<float> in = course::random_floats(std::size_t(n) * rows, /*seed=*/7);

  std::vector<float> expected() const {
    std::vector<float> out;
    for (const float x : in) out.push_back(((c[3] * x + c[2]) * x + c[1]) * x + c[0]);
    return out;
  }
};

/// Four roundings of values below 4, in either direction.
constexpr course::Tolerance kTolerance = {.absolute = 16 * course::kFloatRounding};

std::string difference(const std::vector<float>& actual, const std::vector<float>& expected) {
  return course::compare(actual, expected, kTolerance).failure;
}

/// Checks a kernel that reads the coefficients in every row, or once per thread.
std::optional<course::Counters> check_polynomial(Polynomial* kernel, bool reads_c_in_every_row,
                                                 int n, int rows) {
  CAPTURE(n);
  CAPTURE(rows);
  const Polynomials p = {.n = n, .rows = rows};
  const DeviceBuffer<float> c(p.c, "c"), in(p.in, "in");
  DeviceBuffer<float> out(p.in.size(), "out");
  const auto counted = course::count([&] {
    if (n > 0)
      launch(kernel, {divide_up(n, kThreads), kThreads}, n, rows, c.data(), in.data(), out.data());
    course::check_launch();
  });
  CHECK(difference(out.to_host(), p.expected()) == "");
  if (!counted || rows == 0) return counted;

  RequestModel loads, stores;
  for_each_warp(n, kThreads, [&](int first, int lanes) {
    const int readings_of_c = reads_c_in_every_row ? rows : 1;
    for (int reading = 0; reading < readings_of_c; ++reading)
      for (int k = 0; k < kCoefficients; ++k) loads.request({k}, sizeof(float));
    for (int row = 0; row < rows; ++row) {
      std::vector<std::int64_t> elements;
      for (int i = first; i < first + lanes; ++i) elements.push_back(std::int64_t(row) * n + i);
      loads.request(elements, sizeof(float));
      stores.request(elements, sizeof(float));
    }
  });
  CHECK(counted->global_load == loads.counters());
  CHECK(counted->global_store == stores.counters());
  return counted;
}

void check_polynomial_at_sizes(Polynomial* kernel, bool reads_c_in_every_row) {
  for (const int n : {0, 1, 31, 32, 33, 128, 129, 300})
    for (const int rows : {0, 1, 3, 4, 5, 17})
      check_polynomial(kernel, reads_c_in_every_row, n, rows);
}

void check_in_place(Polynomial* kernel) {
  const Polynomials p = {.n = 70, .rows = 9};
  const DeviceBuffer<float> c(p.c, "c");
  DeviceBuffer<float> both(p.in, "in and out");
  launch(kernel, {1, kThreads}, p.n, p.rows, c.data(), both.data(), both.data());
  course::check_launch();
  CHECK(difference(both.to_host(), p.expected()) == "");
}

/// Returns one column of `rows` rows, computed by one thread whose coefficients are the first
/// elements of its own output.
std::vector<float> with_coefficients_in_out(Polynomial* kernel, const Polynomials& p) {
  std::vector<float> before(p.in.size());
  std::copy(p.c.begin(), p.c.end(), before.begin());
  const DeviceBuffer<float> in(p.in, "in");
  DeviceBuffer<float> out(before, "out and c");
  launch(kernel, {1, 1}, p.n, p.rows, out.data(), in.data(), out.data());
  course::check_launch();
  return out.to_host();
}

}  // namespace

TEST_CASE("copy_plain copies, at the sectors that the rules give") {
  check_copy_at_sizes(kernels_under_test().copy_plain);
}

TEST_CASE("copy_ldg copies, at the sectors that the rules give") {
  check_copy_at_sizes(kernels_under_test().copy_ldg);
}

TEST_CASE("copy_restrict copies, at the sectors that the rules give") {
  check_copy_at_sizes(kernels_under_test().copy_restrict);
}

TEST_CASE("the three copies have equal counters, all of them") {
  const auto plain = check_copy(kernels_under_test().copy_plain, 4096);
  CHECK(check_copy(kernels_under_test().copy_ldg, 4096) == plain);
  CHECK(check_copy(kernels_under_test().copy_restrict, 4096) == plain);
  if (plain) CHECK(plain->global_load.efficiency_pct() == 100.0);
}

namespace {

/// The article's kernel except for names and the type: it does not test the index.
__global__ void copy_without_guard(float* out, const float* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __ldg(&in[i]);
}

}  // namespace

TEST_CASE("the published copies have no guard: with 33 elements they write past the end") {
  const auto values = course::random_floats(33, /*seed=*/5);
  const DeviceBuffer<float> in(values, "in");
  DeviceBuffer<float> out(33, "out");
  launch(copy_without_guard, {2, kWarpSize}, out.data(), in.data());
  course::check_launch();
  course::synchronize();
  CHECK_FALSE(out.guards_intact());
  CHECK_THROWS_WITH_AS(out.to_host(), doctest::Contains("behind the end of out"),
                       std::runtime_error);
}

TEST_CASE("polynomial_plain is right, and reads its coefficients in every row") {
  check_polynomial_at_sizes(kernels_under_test().polynomial_plain, /*reads_c_in_every_row=*/true);
}

TEST_CASE("polynomial_registers is right, and reads its coefficients once") {
  check_polynomial_at_sizes(kernels_under_test().polynomial_registers,
                            /*reads_c_in_every_row=*/false);
}

TEST_CASE("polynomial_four_rows is right, and reads its coefficients once") {
  check_polynomial_at_sizes(kernels_under_test().polynomial_four_rows,
                            /*reads_c_in_every_row=*/false);
}

TEST_CASE("polynomial_restrict is right, and the compiler reads its coefficients once") {
  check_polynomial_at_sizes(kernels_under_test().polynomial_restrict,
                            /*reads_c_in_every_row=*/false);
}

TEST_CASE("load requests of a warp for 16 rows: 80 without the promise, 20 with it") {
  constexpr int kWarps = 8, kRows = 16;
  const auto requests = [](Polynomial* kernel, bool reads_c_in_every_row) {
    const auto counted = check_polynomial(kernel, reads_c_in_every_row, kWarps * kWarpSize, kRows);
    return counted ? std::optional(counted->global_load.requests / kWarps) : std::nullopt;
  };
  const auto plain = requests(kernels_under_test().polynomial_plain, true);
  if (!plain) return;
  CHECK(plain == 80);
  CHECK(requests(kernels_under_test().polynomial_registers, false) == 20);
  CHECK(requests(kernels_under_test().polynomial_four_rows, false) == 20);
  CHECK(requests(kernels_under_test().polynomial_restrict, false) == 20);
}

namespace {

__global__ void promise_of_c(int n, int rows, const float* __restrict__ c, const float* in,
                             float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; i < n && row < rows; ++row) {
    const float x = in[row * n + i];
    out[row * n + i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
  }
}

__global__ void promise_of_in(int n, int rows, const float* c, const float* __restrict__ in,
                              float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; i < n && row < rows; ++row) {
    const float x = in[row * n + i];
    out[row * n + i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
  }
}

__global__ void promise_of_out(int n, int rows, const float* c, const float* in,
                               float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; i < n && row < rows; ++row) {
    const float x = in[row * n + i];
    out[row * n + i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
  }
}

}  // namespace

TEST_CASE("a promise about c or about out saves loads, one about in does not") {
  check_polynomial(promise_of_c, /*reads_c_in_every_row=*/false, 100, 9);
  check_polynomial(promise_of_in, /*reads_c_in_every_row=*/true, 100, 9);
  check_polynomial(promise_of_out, /*reads_c_in_every_row=*/false, 100, 9);
}

TEST_CASE("without a promise, in and out may be the same array") {
  check_in_place(kernels_under_test().polynomial_plain);
  check_in_place(kernels_under_test().polynomial_registers);
  check_in_place(kernels_under_test().polynomial_four_rows);
}

TEST_CASE("coefficients inside the output: a broken promise is another program") {
  const Polynomials p = {.n = 1, .rows = 12};
  std::vector<float> as_the_loop_says(p.in.size());
  std::copy(p.c.begin(), p.c.end(), as_the_loop_says.begin());
  for (std::size_t row = 0; row < p.in.size(); ++row) {
    const std::vector<float>& c = as_the_loop_says;
    const float x = p.in[row];
    as_the_loop_says[row] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
  }

  const Kernels kernels = kernels_under_test();
  CHECK(difference(with_coefficients_in_out(kernels.polynomial_plain, p), as_the_loop_says) == "");
  CHECK(difference(with_coefficients_in_out(kernels.polynomial_registers, p), p.expected()) == "");
  // Any result is allowed here, because the signature's promise is broken. But it differs from the
  // loop's.
  CHECK(difference(with_coefficients_in_out(kernels.polynomial_restrict, p), as_the_loop_says) !=
        "");
}
