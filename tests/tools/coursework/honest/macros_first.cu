// Macros before headers, some of them tested by a header, and a header of another system.
// clang-format off
#define N_TILE 32
#define NDEBUG
#define SQUARE(x) ((x) * (x))
#define HD __host__ __device__
#include <cassert>
#include <cmath>
#include <cstdio>
#ifdef _WIN32
#include <windows.h>
#endif
#undef NDEBUG
#include <cassert>
#include <cooperative_groups.h>
#include <iostream>
#include <vector>
namespace cg = cooperative_groups;
HD inline int divide_up(int a, int b) { return (a + b - 1) / b; }
__global__ void kernel(int n, const float* in, float* out) {
  const auto block = cg::this_thread_block();
  const int i = block.group_index().x * block.size() + block.thread_rank();
  assert(divide_up(n, N_TILE) > 0);
  if (i < n) out[i] = SQUARE(in[i]) + std::fabs(in[i]);
}
