#pragma once

#include "../../09_sgemm/steps/10_double_buffer.cuh"
#include "10_fitting_tiles.cuh"

namespace any_input {

using namespace warpgroup;
using fitting_tiles::with_fitting_tile;

constexpr int kFewProducts = 32;  // k up to which the FFMA kernel is as accurate, and as fast

/// The same where halves can hold A and B.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
/// @pre     as persistent::sgemm
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    sgemm(const Product product,
          const __grid_constant__ CUtensorMap A,  // [m, spans]
          const __grid_constant__ CUtensorMap B,  // [n, spans]
          const split::Verdict* verdict) {
  if (*verdict != split::kHalves) return;
  persistent::multiply_tiles<S>(product, A, B);
}

/// Splits A and B again where halves cannot hold them: into tf32, in place of the halves. Tf32 has
/// a float's exponents, so nothing is divided before.
/// @expect  global_store_bytes = 2 * 4 * (m + n) * k + 4 * (m + n)
/// @expect  global_load_requests = (m * k + k * n) / 128
/// @pre     split::kThreads threads, m blocks and one for every 64 x 64 elements of B
static __global__ void __launch_bounds__(split::kThreads)
    split_again(int m, int n, int k,                   //
                const float* __restrict__ A, int lda,  // [m, k]
                const float* __restrict__ B, int ldb,  // [k, n]
                const split::Parts parts) {
  using split::Tf32s;
  if (*parts.verdict != split::kTf32s) return;
  const int block = blockIdx.x;
  if (block < m) {
    const unsigned failing = split::split_row<Tf32s>(m, k, A, lda, block, 0, parts.a);
    if (threadIdx.x != 0) return;
    parts.exponent_a[block] = 0;
    if (failing != 0) *parts.second_verdict = split::kFfma;
    return;
  }
  const int blocks_n = (n + split::kBlockN - 1) / split::kBlockN, of_b = block - m;
  const int col0 = of_b % blocks_n * split::kBlockN, k0 = of_b / blocks_n * split::kBlockK;
  __shared__ unsigned failing[split::kBlockN];
  if (threadIdx.x < split::kBlockN) failing[threadIdx.x] = 0;
  split::split_block<Tf32s>(
      n, k, B, ldb, col0, k0, [](int) { return 0; }, parts.b, failing);
  __syncthreads();
  const int own_col = col0 + threadIdx.x;
  if (threadIdx.x >= split::kBlockN || own_col >= n) return;
  if (k0 == 0) parts.exponent_b[own_col] = 0;
  if (failing[threadIdx.x] != 0) *parts.second_verdict = split::kFfma;
}

/// C = alpha A B + beta C, an element after the other: slow, and right for all numbers.
static __device__ __noinline__ void multiply_plainly(const Product& product, const float* A,
                                                     int lda, const float* B, int ldb) {
  const auto [m, n, k, alpha, beta, C, ldc, exponent_a, exponent_b] = product;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < 1LL * m * n;
       i += 1LL * gridDim.x * blockDim.x) {
    const int row = static_cast<int>(i / n), col = static_cast<int>(i % n);
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += element(A, lda, row, p) * element(B, ldb, p, col);
    store(C, m, n, ldc, row, col, alpha, sum, beta);
  }
}

/// Three products of tf32 where A and B span too much for halves; plain FFMA where they span too
/// much for tf32, or where there are infinities or NaN. (kHasFfma: else another kernel does that.)
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * 128 * 16)
/// @pre     as persistent::sgemm
template <typename S, bool kHasFfma>
__global__ void __launch_bounds__(S::kThreads, 1)
    sgemm_others(const Product product,
                 const __grid_constant__ CUtensorMap parts_a,  // [m, spans]
                 const __grid_constant__ CUtensorMap parts_b,  // [n, spans]
                 const float* __restrict__ A, int lda,         // [m, k]
                 const float* __restrict__ B, int ldb,         // [k, n]
                 const split::Verdict* verdict) {
  if (*verdict == split::kHalves) return;
  if (*verdict == split::kFfma) {
    if constexpr (kHasFfma) multiply_plainly(product, A, lda, B, ldb);
    return;
  }
  persistent::multiply_tiles<S>(product, parts_a, parts_b);
}

/// Splits A and B, and launches the products of parts, of which one then multiplies.
template <bool kHasFfma>
void launch_products(const Sgemm& s, const split::Parts& parts, cudaStream_t stream) {
  using course::divide_up;
  split::launch(s, parts, stream);
  with_fitting_tile<split::Halves>(s, [&]<typename S>(S) {
    persistent::launch_blocks<S>(sgemm<S>, s, parts, stream, parts.verdict);
  });
  course::check_launch();

  const int blocks_b = divide_up(s.n, split::kBlockN) * divide_up(s.k, split::kBlockK);
  split_again<<<s.m + blocks_b, split::kThreads, 0, stream>>>(s.m, s.n, s.k, s.A, s.lda, s.B, s.ldb,
                                                              parts);
  course::check_launch();
  using S = fitting_tiles::Middle<split::Tf32s>;
  persistent::launch_blocks<S>(sgemm_others<S, kHasFfma>, s, parts, stream, s.A, s.lda, s.B, s.ldb,
                               parts.second_verdict);
  course::check_launch();
}

/// The same for any A and B.
inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  if (s.used_k() <= kFewProducts) return double_buffer::launch(s, stream);
  launch_products</*kHasFfma=*/true>(s, split::parts_of(s), stream);
}

}  // namespace any_input
