// A struct that is passed by value to a function is read in the line of the call.
#include <cuda_fp16.h>

#include "checked.hpp"

using namespace check_tests;

namespace {

struct Pair {
  float x, y;
};

struct Triple {
  float x, y, z;
};

__device__ float sum_of(Pair p) { return p.x + p.y; }
__device__ float sum_of(Triple t) { return t.x + t.y + t.z; }
__device__ Pair swapped(Pair p) { return {p.y, p.x}; }

struct Operand {
  float values[4];
  __device__ float sum(Operand other) const { return values[0] + other.values[3]; }
};

__device__ float product(__half a, __half b) { return __half2float(a * b); }

// The line contains only the read: its address is computed before the branch. For templates, fewer
// lines have debug information.
template <class T>
__global__ void read_pair(const T* in, float* out) {
  const T* const mine = in + threadIdx.x + 1;
  if (threadIdx.x % 2 == 0)
    atomicAdd(out, 1.0f);
  else
    *out = sum_of(*mine);  // @pair
}

template <class T>
__global__ void read_triple(const T* in, float* out) {
  const T* const mine = in + threadIdx.x + 1;
  if (threadIdx.x % 2 == 0)
    atomicAdd(out, 1.0f);
  else
    *out = sum_of(*mine);  // @triple
}

template <class T>
__global__ void read_half(const T* in, float* out) {
  const T* const mine = in + threadIdx.x + 1;
  if (threadIdx.x % 2 == 0)
    atomicAdd(out, 1.0f);
  else
    *out = __half2float(*mine + T(1));  // @half
}

template <class T>
__global__ void read_in_call(const T* in, float* out) {
  const T* const mine = in + threadIdx.x + 1;
  if (threadIdx.x % 2 == 0)
    atomicAdd(out, 1.0f);
  else
    *out = sum_of(swapped(*mine));  // @inner
}

template <class T>
__global__ void read_operand(const T* in, float* out) {
  const T* const mine = in + threadIdx.x + 1;
  if (threadIdx.x % 2 == 0)
    atomicAdd(out, 1.0f);
  else
    *out = T{}.sum(*mine);  // @operand
}

template <class T>
__global__ void read_second(const T* in, float* out) {
  const T* const mine = in + threadIdx.x + 1;
  if (threadIdx.x % 2 == 0)
    atomicAdd(out, 1.0f);
  else
    *out = product(T(2), *mine);  // @second
}

template <class T>
void check_line(void (*kernel)(const T*, float*), const char* tag) {
  CAPTURE(tag);
  Device<T> in(32, 0);
  Device<float> out(1, 0);
  const Result result =
      run_checked([&] { kernel<<<1, 32>>>(in.data, out.data); }, {.memory = true});
  REQUIRE_FALSE(result.findings.empty());
  for (const emu::Finding& finding : result.findings)
    CHECK(finding.first.line == line_of(__FILE__, tag));
}

}  // namespace

TEST_CASE("memcheck: an argument that is a struct is read in the line of the call" *
          doctest::skip(!EMULATOR_HAS_PLUGIN)) {
  check_line(read_pair<Pair>, "pair");
  check_line(read_triple<Triple>, "triple");
  check_line(read_half<__half>, "half");
  check_line(read_in_call<Pair>, "inner");
  check_line(read_operand<Operand>, "operand");
  check_line(read_second<__half>, "second");
}
