/// @file
/// The part of CUDA that generated programs use, in plain C++: a launch is a loop over its threads.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__ static
#define __launch_bounds__(...)
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __restrict__ __restrict
#define __align__(n) alignas(n)

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct float2 {
  float x, y;
};
struct int3 {
  int x, y, z;
};
inline float2 make_float2(float x, float y) { return {x, y}; }

inline dim3 threadIdx, blockIdx, blockDim, gridDim;

template <class F>
void plain_launch(unsigned blocks, unsigned threads, F kernel) {
  blockDim = threads, gridDim = blocks;
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel();
}

inline int __popc(unsigned x) { return std::popcount(x); }
inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline unsigned __brev(unsigned x) {
  unsigned result = 0;
  for (int i = 0; i < 32; ++i) result |= (x >> i & 1) << (31 - i);
  return result;
}
inline int min(int a, int b) { return b < a ? b : a; }
inline unsigned atomicAdd(unsigned* p, unsigned x) { return (*p += x) - x; }
inline unsigned atomicMax(unsigned* p, unsigned x) {
  const unsigned before = *p;
  if (before < x) *p = x;
  return before;
}
inline void __syncthreads() {}
inline void __syncwarp(unsigned) {}
inline unsigned __shfl_sync(unsigned, unsigned x, int) { return x; }
inline unsigned __shfl_xor_sync(unsigned, unsigned x, int) { return x; }

// Conversions that C++ leaves undefined, as a device computes them.
inline unsigned TO_UNSIGNED(double x) noexcept {
  return x >= 4294967295.0 ? 0xffffffffu : x > 0 ? static_cast<unsigned>(x) : 0u;
}
inline int TO_INT(double x) noexcept {
  return x >= 2147483647.0 ? 0x7fffffff : x > -2147483648.0 ? static_cast<int>(x) : -0x7fffffff - 1;
}
inline unsigned SHIFT_LEFT(unsigned x, unsigned n) noexcept { return n < 32 ? x << n : 0; }
inline unsigned SHIFT_RIGHT(unsigned x, unsigned n) noexcept { return n < 32 ? x >> n : 0; }
inline int SHIFT_RIGHT_SIGNED(int x, unsigned n) noexcept { return x >> (n < 32 ? n : 31); }
