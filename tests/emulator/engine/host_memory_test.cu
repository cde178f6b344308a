// Tests host memory in a kernel without counting: a quick form does not check addresses.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/counters.h"
#include "emulator/memory.h"

namespace {

struct Matrix {
  int rows, columns;
  float* values;
};

__global__ void add_one(float* values) { values[threadIdx.x] += 1.0f; }
__global__ void add_one_to(Matrix* matrix) { matrix->values[threadIdx.x] += 1.0f; }
__global__ void add_first(const Matrix by_value, const char* text, double scale) {
  by_value.values[threadIdx.x] += static_cast<float>(scale * text[0]);
}
__global__ void first_of_rows(float* const* rows) { rows[threadIdx.x][0] += 1.0f; }
__global__ void from_reference(const float& from, float* to) { to[threadIdx.x] = from; }
__global__ void both(int a, int b, float* values) { values[threadIdx.x] += a - b; }
__device__ float twice(float x) { return 2 * x; }
__device__ float (*twice_on_device)(float) = twice;
__global__ void call(float (*function)(float), float* values) { *values = function(*values); }

struct Two {
  const int* host;
  float* device;
};
__global__ void use_one(Two two) { two.device[threadIdx.x] += 1.0f; }

constexpr unsigned kThreads = 32;
float of_program[kThreads];

/// Returns the result of a launch without counting.
template <class Launch>
cudaError_t outcome(Launch&& launch) {
  emu::set_counting(false);
  launch();
  const cudaError_t error = cudaDeviceSynchronize();
  emu::set_sticky_error(cudaSuccess);
  cudaGetLastError();
  return error;
}

struct DeviceValues {
  DeviceValues() {
    REQUIRE(cudaMalloc(&values, kThreads * sizeof(float)) == cudaSuccess);
    cudaMemset(values, 0, kThreads * sizeof(float));
  }
  ~DeviceValues() { cudaFree(values); }
  float* values = nullptr;
};

template <class T>
struct Copied {
  explicit Copied(const std::vector<T>& from) {
    REQUIRE(cudaMalloc(&on_device, from.size() * sizeof(T)) == cudaSuccess);
    cudaMemcpy(on_device, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Copied() { cudaFree(on_device); }
  T* on_device = nullptr;
};

}  // namespace

TEST_CASE("host memory ends a kernel that nobody counts, too") {
  const DeviceValues good;
  std::vector<float> small(kThreads);
  constexpr std::size_t kLarge = 1 << 22;
  const std::unique_ptr<float[]> large(new float[kLarge]());
  float local[kThreads] = {};
  for (float* const bad : {small.data(), large.get(), local, of_program}) {
    CHECK(outcome([&] { add_one<<<1, kThreads>>>(bad); }) == cudaErrorIllegalAddress);
    const Matrix matrix{4, 8, bad};
    CHECK(outcome([&] { add_first<<<1, kThreads>>>(matrix, nullptr, 0); }) ==
          cudaErrorIllegalAddress);
    const Copied<Matrix> copied({matrix});
    CHECK(outcome([&] { add_one_to<<<1, kThreads>>>(copied.on_device); }) ==
          cudaErrorIllegalAddress);
    std::vector<float*> rows(kThreads, good.values);
    rows[kThreads - 1] = bad;
    const Copied<float*> pointers(rows);
    CHECK(outcome([&] { first_of_rows<<<1, kThreads>>>(pointers.on_device); }) ==
          cudaErrorIllegalAddress);
    CHECK(outcome([&] { from_reference<<<1, kThreads>>>(bad[0], good.values); }) ==
          cudaErrorIllegalAddress);
  }
  CHECK(local[0] == 0.0f);
}

TEST_CASE("what only looks like an address of the host's is none") {
  const DeviceValues good;
  CHECK(outcome([&] { add_one<<<1, kThreads>>>(good.values); }) == cudaSuccess);
  const Copied<Matrix> copied({Matrix{4, 8, good.values}});
  CHECK(outcome([&] { add_one_to<<<1, kThreads>>>(copied.on_device); }) == cudaSuccess);
  for (int high = 0x5500; high < 0x8000; high += 0x2f)
    REQUIRE(outcome([&] { both<<<1, kThreads>>>(high << 8, high, good.values); }) == cudaSuccess);
  float (*function)(float) = nullptr;
  cudaMemcpyFromSymbol(&function, twice_on_device, sizeof function);
  CHECK(outcome([&] { call<<<1, 1>>>(function, good.values); }) == cudaSuccess);
  float* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, kThreads * sizeof(float)) == cudaSuccess);
  pinned[3] = 2.0f;
  CHECK(outcome([&] { add_one<<<1, kThreads>>>(pinned); }) == cudaSuccess);
  CHECK(pinned[3] == 3.0f);
  cudaFreeHost(pinned);
}

TEST_CASE("a launch whose addresses are looked at because of an argument is not counted") {
  const DeviceValues good;
  int host = 0;
  const std::uint64_t before = emu::total_counters().global_load.requests;
  CHECK(outcome([&] { use_one<<<1, kThreads>>>({&host, good.values}); }) == cudaSuccess);
  CHECK(emu::last_launch()->counters.global_load.requests == 0);
  CHECK(emu::total_counters().global_load.requests == before);
}
