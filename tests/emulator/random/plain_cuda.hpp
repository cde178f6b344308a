/// @file
/// CUDA in plain C++, as far as generated programs use it: a launch is a loop over its threads.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdio>
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
