// Tests functions of the C library whose behaviour differs on a device.
#include <doctest/doctest.h>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

namespace {

/// PTX's min and max, which nvcc uses for fmin and fmax.
__device__ float least(float a, float b) {
  float d;
  asm("min.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}
__device__ float most(float a, float b) {
  float d;
  asm("max.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}

__global__ void choose(const float* values, unsigned n, unsigned* wrong) {
  const unsigned i = threadIdx.x / n, k = threadIdx.x % n;
  const float x = values[i], y = values[k];
  const auto differ = [](float a, float b) { return __float_as_uint(a) != __float_as_uint(b); };
  const auto differ_wide = [](double a, float b) {
    return isnan(b) ? !isnan(a) : __double_as_longlong(a) != __double_as_longlong(b);
  };
  const double u = x, v = y;
  unsigned flags =
      differ(fminf(x, y), least(x, y)) | differ(fmaxf(x, y), most(x, y)) << 1 |
      differ(std::fmin(x, y), least(x, y)) << 2 | differ(std::fmax(x, y), most(x, y)) << 3 |
      differ_wide(fmin(u, v), least(x, y)) << 4 | differ_wide(fmax(u, v), most(x, y)) << 5;
  if (flags != 0) atomicOr(wrong, flags);
}

__global__ void print(int* results) {
  results[0] = printf("library_calls_test\n");
  results[1] = printf("%d %s %.1f\n", 12345, "of a", 3.5);
  results[2] = printf("%d\n", results[0]);
  results[3] = printf(
      "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
      "%d %d %d %d %d %s %d\n",
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
      27, 28, 29, 30, 31, 32, "not handed over", 34);
}

__global__ void wait(long long cycles, long long* passed) {
  const clock_t begin = clock(), begin_by_name = std::clock();
  const long long begin64 = clock64();
  while (clock64() - begin64 < cycles) {
  }
  passed[0] = clock() - begin;
  passed[1] = std::clock() - begin_by_name;
  passed[2] = clock64() - begin64;
}

}  // namespace

TEST_CASE("fmin and fmax of zeros and of what is no number, as PTX's min and max" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  const float nan = std::nanf("");
  const std::vector<float> values = {0.0f, -0.0f,    1.0f,      -1.5f, nan,
                                     -nan, INFINITY, -INFINITY, 1e-45f};
  const auto n = static_cast<unsigned>(values.size());
  float* on_device = nullptr;
  unsigned* wrong = nullptr;
  REQUIRE(cudaMalloc(&on_device, n * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&wrong, sizeof(unsigned)) == cudaSuccess);
  cudaMemcpy(on_device, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  *wrong = 0;
  choose<<<1, n * n>>>(on_device, n, wrong);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*wrong == 0);
  cudaFree(wrong);
  cudaFree(on_device);
}

TEST_CASE("printf returns how many values it was given" * doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  int* results = nullptr;
  REQUIRE(cudaMallocManaged(&results, 4 * sizeof(int)) == cudaSuccess);
  print<<<1, 1>>>(results);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(results[0] == 0);
  CHECK(results[1] == 3);
  CHECK(results[2] == 1);
  CHECK(results[3] == 32);  // more are not passed
  cudaFree(results);
}

TEST_CASE("clock() counts cycles in kernels, as clock64(), and processor time on the host") {
  constexpr long long kCycles = 20'000'000;
  long long* passed = nullptr;
  REQUIRE(cudaMallocManaged(&passed, 3 * sizeof(long long)) == cudaSuccess);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  wait<<<1, 1>>>(kCycles, passed);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
  int kilohertz = 0;
  REQUIRE(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0) == cudaSuccess);
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(passed[i] >= kCycles);
    CHECK(passed[i] <= took.count() * kilohertz);
  }
  cudaFree(passed);

  const clock_t cpu_begin = clock();
  timespec used{};
  REQUIRE(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0);
  const clock_t cpu_end = clock();
  const double seconds = used.tv_sec + used.tv_nsec * 1e-9;
  constexpr double kTick = 1.0 / CLOCKS_PER_SEC;
  CHECK(cpu_begin * kTick <= seconds + kTick);
  CHECK(seconds <= cpu_end * kTick + kTick);
}
