#pragma once

/// @file
/// What the steps with wgmma build on and none of them teaches: where its operands lie, the order
/// of its products, and the way of its sums to C.

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cuda/ptx>

#include "../../09_sgemm/steps/pipeline.cuh"
#include "split.cuh"
#include "wgmma.cuh"

namespace warpgroup {

namespace ptx = cuda::ptx;
using pipeline::Barriers, pipeline::Corner, pipeline::Ring, pipeline::corner_of, pipeline::set_up,
    pipeline::wait;

constexpr int kWarpSize = 32;
constexpr int kGroupThreads = 128;  // a warpgroup
constexpr int kGroupRows = 64;      // of A and C that one wgmma has

/// What a block and a stage hold.
template <typename Type_, int kTileN_, int kStages_>
struct TileShape {
  using Type = Type_;
  static constexpr int kTileM = 2 * kGroupRows, kTileN = kTileN_, kStages = kStages_;
  static constexpr int kWarps = 8;  // that multiply: two warpgroups, each with half of the rows
  static constexpr int kMultipliers = kWarps * kWarpSize;
  static constexpr int kThreads = kMultipliers + kGroupThreads;  // one more has the stages filled
  static constexpr int kSums = kGroupRows * kTileN / kGroupThreads;  // of a thread
  static constexpr int kBytesA = kTileM * split::kSpanBytes;
  static constexpr int kStageBytes = kBytesA + kTileN * split::kSpanBytes;  // a span of A, one of B
  static constexpr int kSharedBytes = kStages * kStageBytes;
  static constexpr int kGroupTiles = 8;  // tile rows that are walked together
};

/// A and B in parts, as TMA reads them, and what becomes of their product.
struct Product {
  int m, n, k;
  float alpha, beta;
  float* C;  // [m, n]
  int ldc;
  const int* exponent_a;  // [m]
  const int* exponent_b;  // [n]
};

/// Asks TMA for a span of the rows of A and of the columns of B at a corner of C; outside the
/// matrices it delivers zeros.
template <typename S>
__device__ inline void request(const CUtensorMap& A, const CUtensorMap& B, const Corner& tile,
                               int span, unsigned char* stage, std::uint64_t* full) {
  constexpr int kWords = split::kSpanBytes / sizeof(float);
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                 std::uint32_t{S::kStageBytes});
  const int at_a[] = {span * kWords, tile.row}, at_b[] = {span * kWords, tile.col};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage, &A, at_a, full);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage + S::kBytesA, &B, at_b,
                            full);
}

/// Tells wgmma where a matrix lies whose rows are spans, permuted by the 128-byte swizzle: the
/// address, the bytes from eight rows to the next eight, and the swizzle. All in units of 16 bytes.
__device__ inline std::uint64_t descriptor(const unsigned char* shared) {
  constexpr std::uint64_t kSwizzle128 = 1, kEightRows = 8 * split::kSpanBytes;
  constexpr int kUnit = 16, kStrideAt = 32, kSwizzleAt = 62;
  constexpr std::uint64_t kInBlock = (1 << 18) - 1;  // a cluster's addresses have more bits
  const std::uint64_t address = __cvta_generic_to_shared(shared) & kInBlock;
  return address / kUnit | kEightRows / kUnit << kStrideAt | kSwizzle128 << kSwizzleAt;
}

/// The operands of a warpgroup in a stage: 64 rows of A, all columns of B.
template <typename S>
struct Operands {
  std::uint64_t a, b;

  __device__ Operands(const unsigned char* stage, int group)
      : a(descriptor(stage + group * kGroupRows * split::kSpanBytes)),
        b(descriptor(stage + S::kBytesA)) {}
};

// In a span, in units of a descriptor's address: the second half of k, and the low parts.
constexpr std::uint64_t kNext = 2, kLow = 4;

/// sum = (adds ? sum : 0) + the two products of a span that have a low part in them.
template <typename S>
__device__ inline void multiply_low(float (&sum)[S::kSums], const Operands<S>& stage, bool adds) {
  const auto [a, b] = stage;
  tensor::wgmma(typename S::Type{}, sum, a + kLow, b, adds);
  tensor::wgmma(typename S::Type{}, sum, a, b + kLow, true);
  tensor::wgmma(typename S::Type{}, sum, a + kLow + kNext, b + kNext, true);
  tensor::wgmma(typename S::Type{}, sum, a + kNext, b + kLow + kNext, true);
}

/// Adds the product of a span's high parts.
template <typename S>
__device__ inline void multiply_high(float (&sum)[S::kSums], const Operands<S>& stage) {
  const auto [a, b] = stage;
  tensor::wgmma(typename S::Type{}, sum, a, b, true);
  tensor::wgmma(typename S::Type{}, sum, a + kNext, b + kNext, true);
}

/// All three; the small products first, while the sum has bits to spare for them.
template <typename S>
__device__ inline void multiply_span(float (&sum)[S::kSums], const Operands<S>& stage, bool adds) {
  multiply_low<S>(sum, stage, adds);
  multiply_high<S>(sum, stage);
}

/// C = alpha 2^exponents sum + beta C, for the two neighbours that a thread has of a row.
__device__ inline void store_pair(const Product& p, int row, int col, float sum0, float sum1) {
  if (row >= p.m || col >= p.n) return;
  const auto product = [&](float sum, int c) {
    return p.alpha * split::scaled(sum, p.exponent_a[row] + p.exponent_b[c]);
  };
  float* const to = &element(p.C, p.ldc, row, col);
  const bool is_pair = col + 1 < p.n && reinterpret_cast<std::uintptr_t>(to) % sizeof(float2) == 0;
  if (!is_pair) {
    const auto update = [&](float& c, float x) { c = p.beta == 0.0f ? x : x + p.beta * c; };
    update(to[0], product(sum0, col));
    if (col + 1 < p.n) update(to[1], product(sum1, col + 1));
    return;
  }
  float2& pair = *reinterpret_cast<float2*>(to);
  float2 result = make_float2(product(sum0, col), product(sum1, col + 1));
  if (p.beta != 0.0f) {
    const float2 old = pair;
    result = make_float2(result.x + p.beta * old.x, result.y + p.beta * old.y);
  }
  pair = result;
}

/// Stores a thread's sums of the tile at a corner of C. In wgmma's result, a warp has 16 rows; a
/// lane has pairs of neighbours, in two rows that are 8 apart, every 8 columns.
template <typename S>
__device__ inline void store_sums(const Product& p, const Corner& tile,
                                  const float (&sum)[S::kSums]) {
  constexpr int kWarpRows = 16, kApart = 8, kLanesOfRow = 4;
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  const int row = tile.row + warp * kWarpRows + lane / kLanesOfRow;
  const int col = tile.col + lane % kLanesOfRow * 2;
#pragma unroll
  for (int i = 0; i < S::kSums; i += 4) {
    store_pair(p, row, col + i / 4 * kApart, sum[i], sum[i + 1]);
    store_pair(p, row + kApart, col + i / 4 * kApart, sum[i + 2], sum[i + 3]);
  }
}

template <typename S>
int tile_count(const Sgemm& s) {
  return course::divide_up(s.m, S::kTileM) * course::divide_up(s.n, S::kTileN);
}

/// A matrix in parts, for boxes of so many rows and a span.
template <typename S>
CUtensorMap describe(unsigned char* parts, int rows, int k, int box_rows) {
  constexpr int kWords = split::kSpanBytes / sizeof(float);
  const int words = split::spans<typename S::Type>(k) * kWords;
  if (words == 0) return {};
  return tma::describe({reinterpret_cast<float*>(parts), words}, rows, words, box_rows, kWords,
                       CU_TENSOR_MAP_SWIZZLE_128B);
}

inline Product product_of(const Sgemm& s, const split::Parts& parts) {
  return {s.m, s.n, s.used_k(), s.alpha, s.beta, s.C, s.ldc, parts.exponent_a, parts.exponent_b};
}

/// Launches a kernel that multiplies A and B in parts; `others` are its further parameters.
template <typename S, typename... Parameters, typename... Others>
void launch_product(void (*kernel)(Parameters...), const dim3& grid, int threads, const Sgemm& s,
                    const split::Parts& parts, cudaStream_t stream, const Others&... others) {
  course::check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  kernel<<<grid, threads, S::kSharedBytes, stream>>>(
      product_of(s, parts), describe<S>(parts.a, s.m, s.used_k(), S::kTileM),
      describe<S>(parts.b, s.n, s.used_k(), S::kTileN), others...);
}

/// Splits A and B, and launches a kernel with a block for every tile of C.
template <typename S, typename... Parameters>
void launch_tiles(void (*kernel)(Parameters...), int threads, const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  const split::Parts parts = split::parts_of(s);
  split::launch(s, parts, stream);
  const dim3 grid(course::divide_up(s.n, S::kTileN), course::divide_up(s.m, S::kTileM));
  launch_product<S>(kernel, grid, threads, s, parts, stream);
}

}  // namespace warpgroup
