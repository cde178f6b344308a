// Tests misaligned accesses, which end the kernel on a device: with and without counting and
// checks.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstring>

#include "emulator/check.h"
#include "emulator/counters.h"
#include "emulator/memory.h"

namespace {

constexpr unsigned kLanes = 32;
constexpr std::size_t kBytes = 4096;

template <class T>
__global__ void loads(const char* in, char* out, unsigned stride) {
  reinterpret_cast<T*>(out)[threadIdx.x] = *reinterpret_cast<const T*>(in + threadIdx.x * stride);
}
template <class T>
__global__ void stores(char* out, T value, unsigned stride) {
  *reinterpret_cast<T*>(out + threadIdx.x * stride) = value;
}
template <class T>
__global__ void shared(T* out, unsigned stride, unsigned offset) {
  __shared__ __align__(16) char tile[kBytes];
  for (unsigned i = threadIdx.x; i < kBytes; i += kLanes) tile[i] = 0;
  __syncthreads();
  out[threadIdx.x] = *reinterpret_cast<const T*>(tile + threadIdx.x * stride + offset);
}
template <class T>
__global__ void local(T* out, unsigned offset) {
  __align__(16) char mine[64];
  for (char& c : mine) c = static_cast<char>(threadIdx.x);
  *reinterpret_cast<volatile char*>(mine + offset) = 1;
  out[threadIdx.x] = *reinterpret_cast<const T*>(mine + offset);
}
template <class T>
__global__ void adds(char* out) {
  atomicAdd(reinterpret_cast<T*>(out), T{1});
}

/// A warp whose first access is aligned and whose pattern is already known when one is not.
__global__ void late(char* out, int rounds) {
  for (int i = 0; i < rounds; ++i)
    reinterpret_cast<int*>(out + i * kLanes * sizeof(int) +
                           (i == rounds - 1 ? 2 : 0))[threadIdx.x] = i;
}

/// The same with vectors that are off by half of their size, which would be aligned for a struct of
/// two doubles.
__global__ void late_vector(char* out, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const float x = static_cast<float>(i);
    reinterpret_cast<float4*>(out + (i == rounds - 1 ? 8 : 0))[threadIdx.x] = {x, x, x, x};
  }
}

// Valid accesses: a device moves these in pieces of their alignment.
struct Complex {
  double re, im;
};
struct Node {
  double key;
  Complex value;
};
struct __attribute__((packed)) Packed {
  char tag;
  int number;
};
struct Pair {
  float a, b;
};
__global__ void structs(Node* nodes, Packed* packed, Pair* pairs) {
  const unsigned i = threadIdx.x;
  const Complex value = nodes[i].value;
  nodes[i].value = Complex{value.im, value.re};
  packed[i].number = static_cast<int>(i);
  const Packed one = packed[kLanes - 1 - i];
  pairs[i] = Pair{1.0f, static_cast<float>(one.number)};
  const Pair pair = pairs[i];
  pairs[i + 1] = pair;
}
// Neighbouring stores to a thread's own struct, which the compiler may merge.
__global__ void own(const int* in, int* out) {
  struct {
    char a, b, c, d;
    int e[3];
    float f, g;
  } mine;
  mine.a = mine.b = mine.c = mine.d = 1;
  for (int& e : mine.e) e = in[threadIdx.x];
  mine.f = mine.g = 0.0f;
  const auto copy = mine;
  out[threadIdx.x] = copy.e[in[threadIdx.x] % 3] + copy.a + static_cast<int>(copy.g);
}

// Variables at addresses known to the compiler, as any type at any byte.
__device__ float4 table[5];
__constant__ float4 fixed[5];
template <class T, unsigned offset>
__global__ void load_variable(T* out) {
  *out = *reinterpret_cast<T*>(reinterpret_cast<char*>(table) + offset);
}
template <class T, unsigned offset>
__global__ void load_constant(T* out) {
  *out = *reinterpret_cast<const T*>(reinterpret_cast<const char*>(fixed) + offset);
}
template <class T, unsigned offset>
__global__ void store_variable(T value) {
  *reinterpret_cast<T*>(reinterpret_cast<char*>(table) + offset) = value;
}
template <class T, unsigned offset>
__global__ void shared_variable(T* out) {
  __shared__ float4 tile[5];
  tile[0] = tile[1] = float4{1, 2, 3, 4};
  *out = *reinterpret_cast<T*>(reinterpret_cast<char*>(tile) + offset);
}
template <class T, unsigned offset>
__global__ void store_shared(T value, T* out) {
  __shared__ float4 tile[5];
  *reinterpret_cast<T*>(reinterpret_cast<char*>(tile) + offset) = value;
  *out = reinterpret_cast<T*>(tile)[1];
}
/// Bytes without alignment, after three that leave no gap.
template <class T, unsigned offset>
__global__ void shared_bytes(T* out) {
  __shared__ char few[3];
  __shared__ char bytes[64];
  few[threadIdx.x] = static_cast<char>(bytes[63] = 1);
  *reinterpret_cast<T*>(bytes + offset) = T{};
  out[1] = *reinterpret_cast<T*>(bytes + 2 * sizeof(T));
  reinterpret_cast<char*>(out)[0] = static_cast<char>(few[threadIdx.x] + bytes[offset]);
}
__device__ Packed packs[4];
__device__ Pair twins[4];
/// No type here needs more alignment than it gets.
__global__ void narrow_variables(char* out) {
  packs[1].number = packs[2].number + 1;
  twins[1] = twins[2];
  out[0] = reinterpret_cast<char*>(table)[3];
}

enum class Way { counted, uncounted, checked };
constexpr Way kWays[] = {Way::counted, Way::uncounted, Way::checked};

/// Returns the device's state after the launch, and restores the device.
template <class Launch>
cudaError_t outcome(Way way, Launch&& launch) {
  emu::set_counting(way == Way::counted);
  if (way == Way::checked) emu::set_checking({.memory = true});
  launch();
  CHECK(cudaGetLastError() == cudaSuccess);
  const cudaError_t error = cudaDeviceSynchronize();
  CHECK(cudaDeviceSynchronize() == error);  // sticky
  emu::set_counting(true);
  emu::set_checking({});
  emu::take_findings();
  emu::set_sticky_error(cudaSuccess);
  cudaGetLastError();
  return error;
}

struct Memory {
  Memory() {
    REQUIRE(cudaMalloc(&in, kBytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&out, kBytes) == cudaSuccess);
    cudaMemset(in, 0, kBytes);
  }
  ~Memory() {
    cudaFree(in);
    cudaFree(out);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  char *in = nullptr, *out = nullptr;
};

}  // namespace

TEST_CASE_TEMPLATE("a misaligned access ends the kernel, at every width and in every memory", T,
                   short, int, float2, double, long long, float4, double2, int4) {
  Memory memory;
  constexpr unsigned kSize = sizeof(T);
  T* const out = reinterpret_cast<T*>(memory.out);
  for (const Way way : kWays) {
    CAPTURE(static_cast<int>(way));
    for (unsigned offset = 0; offset <= kSize; ++offset) {
      CAPTURE(offset);
      const cudaError_t expected = offset % kSize == 0 ? cudaSuccess : cudaErrorMisalignedAddress;
      CHECK(outcome(way, [&] { loads<T><<<1, 1>>>(memory.in + offset, memory.out, 0); }) ==
            expected);
      CHECK(outcome(way, [&] { stores<<<1, 1>>>(memory.out + offset, T{}, 0); }) == expected);
      CHECK(outcome(way, [&] { shared<<<1, kLanes>>>(out, kSize, offset); }) == expected);
      CHECK(outcome(way, [&] { local<<<1, kLanes>>>(out, offset); }) == expected);
    }
    // The first lanes are aligned, a later one is not.
    CHECK(outcome(way, [&] {
            loads<T><<<1, kLanes>>>(memory.in, memory.out, kSize + kSize / 2);
          }) == cudaErrorMisalignedAddress);
    CHECK(outcome(way, [&] { stores<<<1, kLanes>>>(memory.out, T{}, kSize + kSize / 2); }) ==
          cudaErrorMisalignedAddress);
    CHECK(outcome(way, [&] { shared<<<1, kLanes>>>(out, kSize + kSize / 2, 0); }) ==
          cudaErrorMisalignedAddress);
    CHECK(outcome(way, [&] { loads<T><<<1, kLanes>>>(memory.in, memory.out, 3 * kSize); }) ==
          cudaSuccess);
  }
}

namespace {

template <class T, unsigned offset>
void check_variables() {
  CAPTURE(offset);
  Memory memory;
  T* const out = reinterpret_cast<T*>(memory.out);
  const cudaError_t expected = offset % sizeof(T) == 0 ? cudaSuccess : cudaErrorMisalignedAddress;
  for (const Way way : kWays) {
    CAPTURE(static_cast<int>(way));
    const auto load = [&] { load_variable<T, offset><<<1, 1>>>(out); };
    CHECK(outcome(way, load) == expected);
    const auto load_fixed = [&] { load_constant<T, offset><<<1, 1>>>(out); };
    CHECK(outcome(way, load_fixed) == expected);
    const auto store = [&] { store_variable<T, offset><<<1, 1>>>(T{}); };
    CHECK(outcome(way, store) == expected);
    const auto shared_load = [&] { shared_variable<T, offset><<<1, 1>>>(out); };
    CHECK(outcome(way, shared_load) == expected);
    const auto shared_store = [&] { store_shared<T, offset><<<1, 1>>>(T{}, out); };
    CHECK(outcome(way, shared_store) == expected);
    const auto among_bytes = [&] { shared_bytes<T, offset><<<1, 1>>>(out); };
    if (offset + sizeof(T) <= 64) CHECK(outcome(way, among_bytes) == expected);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("so does one to a variable, at an address that is a constant" *
                       doctest::skip(!EMULATOR_HAS_PLUGIN),
                   T, short, int, double, long long, float4) {
  check_variables<T, 0>();
  check_variables<T, 1>();
  check_variables<T, sizeof(T) / 2>();
  check_variables<T, sizeof(T)>();
  check_variables<T, 64 - sizeof(T) / 2>();  // also past the end, which is checked second
}

TEST_CASE("packed structs and bytes in variables are no findings") {
  Memory memory;
  for (const Way way : kWays)
    CHECK(outcome(way, [&] { narrow_variables<<<1, 1>>>(memory.out); }) == cudaSuccess);
}

TEST_CASE_TEMPLATE("a misaligned atomic operation ends the kernel", T, int, float,
                   unsigned long long, double) {
  Memory memory;
  for (const Way way : kWays) {
    CAPTURE(static_cast<int>(way));
    CHECK(outcome(way, [&] { adds<T><<<1, kLanes>>>(memory.in + sizeof(T)); }) == cudaSuccess);
    CHECK(outcome(way, [&] { adds<T><<<1, kLanes>>>(memory.in + sizeof(T) / 2); }) ==
          cudaErrorMisalignedAddress);
  }
}

TEST_CASE("a misaligned access is found behind aligned ones of the same instruction") {
  Memory memory;
  for (const Way way : kWays) {
    CAPTURE(static_cast<int>(way));
    CHECK(outcome(way, [&] { late<<<1, kLanes>>>(memory.out, 20); }) == cudaErrorMisalignedAddress);
    CHECK(outcome(way, [&] { late_vector<<<1, kLanes>>>(memory.out, 20); }) ==
          cudaErrorMisalignedAddress);
  }
}

TEST_CASE("structs that need less than their size, and a thread's own, are no findings") {
  Memory nodes, packed, pairs;
  for (const Way way : kWays) {
    CAPTURE(static_cast<int>(way));
    CHECK(outcome(way, [&] {
            structs<<<1, kLanes>>>(reinterpret_cast<Node*>(nodes.in),
                                   reinterpret_cast<Packed*>(packed.in),
                                   reinterpret_cast<Pair*>(pairs.in + sizeof(float)));
          }) == cudaSuccess);
    CHECK(outcome(way, [&] {
            own<<<1, kLanes>>>(reinterpret_cast<const int*>(pairs.out),
                               reinterpret_cast<int*>(nodes.out));
          }) == cudaSuccess);
  }
}

TEST_CASE("host code may do as the host does") {
  alignas(8) char bytes[16] = {};
  *reinterpret_cast<volatile int*>(bytes + 1) = 7;
  int value = 0;
  std::memcpy(&value, bytes + 1, sizeof(value));
  CHECK(value == 7);
}
