#pragma once

/// @file
/// Three products of halves by the vendor's library, to compare with: each a call of its own.

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../09_sgemm/steps/problem.cuh"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/vendor_sgemm.hpp"

namespace three_calls {

constexpr int kThreads = 256;
constexpr float kFactor = 0x1p14f;  // elements are between -1 and 1

/// Two halves for each element of X, times kFactor.
/// @pre  kThreads threads a block, a thread for each element
static __global__ void split_evenly(int rows, int cols, const float* __restrict__ X, int ld,
                                    __half* __restrict__ high,   // [rows, cols]
                                    __half* __restrict__ low) {  // [rows, cols]
  const long long i = 1LL * blockIdx.x * kThreads + threadIdx.x;
  if (i >= 1LL * rows * cols) return;
  const float x = kFactor * X[i / cols * ld + i % cols];
  high[i] = __float2half_rn(x);
  low[i] = __float2half_rn(x - __half2float(high[i]));
}

inline std::size_t workspace_floats(const Sgemm& s) {
  return 1ull * s.m * s.k + 1ull * s.k * s.n;  // two halves are as long as a float
}

/// The small products first.
inline void launch(const course::VendorSgemm& library, const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  const std::size_t elements_a = std::size_t(s.m) * s.k, elements_b = std::size_t(s.k) * s.n;
  __half* const high_a = reinterpret_cast<__half*>(s.workspace);
  __half* const low_a = high_a + elements_a;
  __half* const high_b = low_a + elements_a;
  __half* const low_b = high_b + elements_b;
  const auto blocks = [](std::size_t elements) {
    return static_cast<unsigned>(std::max<std::size_t>(1, (elements + kThreads - 1) / kThreads));
  };
  split_evenly<<<blocks(elements_a), kThreads, 0, stream>>>(s.m, s.k, s.A, s.lda, high_a, low_a);
  course::check_launch();
  split_evenly<<<blocks(elements_b), kThreads, 0, stream>>>(s.k, s.n, s.B, s.ldb, high_b, low_b);
  course::check_launch();
  const float alpha = s.alpha / (kFactor * kFactor);
  const auto add = [&](const __half* A, const __half* B, float beta) {
    library({s.m, s.n, s.k}, alpha, A, std::max(1, s.k), B, s.n, beta, s.C, s.ldc, stream);
  };
  add(low_a, high_b, s.beta);
  add(high_a, low_b, 1.0f);
  add(high_a, high_b, 1.0f);
}

}  // namespace three_calls
