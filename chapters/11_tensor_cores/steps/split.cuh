#pragma once

/// @file
/// The splitting pass: each float becomes two shorter numbers, which a tensor core can multiply.
///
/// Before that, each row of A and each column of B is divided by a power of two, which is exact, so
/// that its largest element comes near the end of half's range. The columns of B become rows, so
/// that both matrices lie along k.

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../09_sgemm/steps/last_block.cuh"
#include "../../09_sgemm/steps/problem.cuh"
#include "course/divide_up.hpp"
#include "course/error.hpp"

namespace split {

constexpr int kThreads = 256, kWarpSize = 32;
constexpr int kSpanBytes = 128;  // the high parts of a few elements of a row, then the low ones
constexpr int kHighestExponent = 14;  // of a row's largest element, divided: half ends at 65504
constexpr float kLarge = 512.0f;  // 2^-5 of that: elements below it are small beside the largest
constexpr int kBlockK = 64, kBlockN = 64;         // of B that a block turns over
constexpr int kStripRows = 64, kStripCols = 128;  // of B in which a block looks for the largest

/// What is to multiply A and B.
enum Verdict : int {
  kHalves,  ///< three products of halves
  kTf32s,   ///< three products of tf32, if they can hold what halves cannot
  kFfma,    ///< neither: there are infinities or NaN
};

/// An element as two halves, 22 bits in all.
struct Halves {
  static constexpr Verdict kVerdict = kHalves;
  static constexpr int kSpan = 32;  // elements of a span
  using Four = uint2;               // parts of four elements

  static __device__ void split(const float4& x, Four& high, Four& low) {
    const __half2 h[] = {__floats2half2_rn(x.x, x.y), __floats2half2_rn(x.z, x.w)};
    high = four(h[0], h[1]);
    low = four(__floats2half2_rn(x.x - __low2float(h[0]), x.y - __high2float(h[0])),
               __floats2half2_rn(x.z - __low2float(h[1]), x.w - __high2float(h[1])));
  }

  /// Counted are elements that are large beside the largest.
  static __device__ bool counts(float x) { return fabsf(x) >= kLarge; }

 private:
  static __device__ unsigned bits(const __half2& pair) {
    constexpr int kHalfBits = 16;
    return __half_as_ushort(__low2half(pair)) |
           static_cast<unsigned>(__half_as_ushort(__high2half(pair))) << kHalfBits;
  }
  static __device__ Four four(const __half2& x, const __half2& y) {
    return make_uint2(bits(x), bits(y));
  }
};

/// An element as two tf32: 22 bits. The low part's last bit must not fall below what a float holds,
/// and the high part must not be rounded up to infinity.
struct Tf32s {
  static constexpr Verdict kVerdict = kTf32s;
  static constexpr int kSpan = 16;
  using Four = float4;

  static __device__ void split(const float4& x, Four& high, Four& low) {
    high = make_float4(rounded(x.x), rounded(x.y), rounded(x.z), rounded(x.w));
    low = make_float4(rounded(x.x - high.x), rounded(x.y - high.y), rounded(x.z - high.z),
                      rounded(x.w - high.w));
  }

  /// Counted are elements that it cannot hold.
  static __device__ bool counts(float x) {
    constexpr float kLeast = 0x1p-112f, kMost = 0x1p127f;
    return x != 0.0f && (fabsf(x) < kLeast || fabsf(x) >= kMost);
  }

 private:
  /// To the nearest with ten bits of mantissa, which is what a tensor core reads of a float.
  static __device__ float rounded(float x) {
    constexpr unsigned kCut = 13, kHalf = 1u << (kCut - 1);
    return __uint_as_float((__float_as_uint(x) + kHalf) >> kCut << kCut);
  }
};

/// Two parts of each element of A and B, and what is found out on the way.
struct Parts {
  unsigned char* a;  // [m, spans]
  unsigned char* b;  // [n, spans]
  int* exponent_a;   // [m]: a row of A has been divided by 2 to this
  int* exponent_b;   // [n]: so has a column of B
  // Zero between launches:
  unsigned* largest_b;     // [n]: the bits of the largest element of a column of B
  unsigned* large_b;       // [n]: how many elements of a column are large
  unsigned* most_small_a;  // in a row of A
  unsigned* arrived;       // blocks that have split their part of B
  unsigned* not_finite;    // whether there is an infinity or NaN
  // Written by each launch:
  Verdict* verdict;         // kTf32s: halves cannot hold A and B
  Verdict* second_verdict;  // the same, or kFfma: tf32 cannot hold them either
};

/// Spans of a row of k elements.
template <typename Type>
__host__ __device__ inline int spans(int k) {
  return (k + Type::kSpan - 1) / Type::kSpan;
}

/// Where a row of parts begins.
template <typename Type>
__device__ inline unsigned char* row_of(unsigned char* parts, int row, int k) {
  return parts + static_cast<long long>(row) * spans<Type>(k) * kSpanBytes;
}

/// x times 2 to the exponent, from -252 to 254; a smaller one is taken for -252.
__device__ inline float scaled(float x, int exponent) {
  constexpr int kBias = 127, kMantissaBits = 23, kLeast = -252;
  const auto power_of_two = [](int e) { return __int_as_float((e + kBias) << kMantissaBits); };
  exponent = max(exponent, kLeast);
  const int half = exponent / 2;
  return x * power_of_two(half) * power_of_two(exponent - half);
}

/// The bits of |x|, which are in the order of the numbers; those of a NaN come last.
__device__ inline unsigned magnitude(float x) { return __float_as_uint(x) & 0x7fffffffu; }
__device__ inline unsigned magnitude(const float4& x) {
  return max(max(magnitude(x.x), magnitude(x.y)), max(magnitude(x.z), magnitude(x.w)));
}
__device__ inline bool is_finite(unsigned magnitude) { return magnitude < 0x7f800000u; }

/// By 2 to this, a row with that largest element is divided.
__device__ inline int exponent_of(unsigned largest) {
  if (largest == 0 || !is_finite(largest)) return 0;
  return ilogbf(__uint_as_float(largest)) - kHighestExponent;
}

/// The largest of `value` and the sum of `count` over the block, in every thread.
struct Totals {
  unsigned largest, count;
};
__device__ inline Totals totals_of_block(unsigned value, unsigned count) {
  constexpr int kWarps = kThreads / kWarpSize;
  __shared__ Totals of_warp[kWarps];
  value = __reduce_max_sync(~0u, value);
  count = __reduce_add_sync(~0u, count);
  __syncthreads();
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = {value, count};
  __syncthreads();
  value = of_warp[0].largest;
  count = of_warp[0].count;
  for (int w = 1; w < kWarps; ++w) {
    value = max(value, of_warp[w].largest);
    count += of_warp[w].count;
  }
  return {value, count};
}

/// Stores the parts of the `quad`th four elements of a row. @return how many of them it counts
template <typename Type>
__device__ inline unsigned store_four(unsigned char* row, int quad, const float4& x, int exponent) {
  constexpr int kQuads = Type::kSpan / kVector;
  const float4 y = make_float4(scaled(x.x, -exponent), scaled(x.y, -exponent),
                               scaled(x.z, -exponent), scaled(x.w, -exponent));
  typename Type::Four high, low;
  Type::split(y, high, low);
  unsigned char* const to = row + static_cast<long long>(quad / kQuads) * kSpanBytes +
                            quad % kQuads * static_cast<int>(sizeof(high));
  *reinterpret_cast<typename Type::Four*>(to) = high;
  *reinterpret_cast<typename Type::Four*>(to + kSpanBytes / 2) = low;
  return Type::counts(y.x) + Type::counts(y.y) + Type::counts(y.z) + Type::counts(y.w);
}

/// Splits a row of A. @return how many of its elements it counts; in every thread
template <typename Type>
__device__ inline unsigned split_row(int m, int k, const float* A, int lda, int row, int exponent,
                                     unsigned char* parts) {
  const int quads = spans<Type>(k) * Type::kSpan / kVector;
  unsigned char* const to = row_of<Type>(parts, row, k);
  unsigned counted = 0;
#pragma unroll 2
  for (int quad = threadIdx.x; quad < quads; quad += kThreads)
    counted +=
        store_four<Type>(to, quad, Tested::load4(A, m, k, lda, row, kVector * quad), exponent);
  return totals_of_block(0, counted).count;
}

/// The first m blocks split a row of A each. The others look for the largest element of every
/// column of B.
/// @expect  global_load_requests = (2 * m * k + k * n) / 128
/// @expect  global_store_bytes = 4 * m * k + 4 * m
/// @expect  global_atomic_requests = m + n / 32 * k / 64
/// @pre     kThreads threads, m blocks and one for every 64 x 128 elements of B
static __global__ void __launch_bounds__(kThreads)
    split_rows(int m, int n, int k,                   //
               const float* __restrict__ A, int lda,  // [m, k]
               const float* __restrict__ B, int ldb,  // [k, n]
               const Parts parts) {
  const int block = blockIdx.x;
  if (block < m) {
    const int row = block;
    unsigned largest = 0;
#pragma unroll 2
    for (int col = threadIdx.x * kVector; col < k; col += kThreads * kVector)
      largest = max(largest, magnitude(Tested::load4(A, m, k, lda, row, col)));
    largest = totals_of_block(largest, 0).largest;
    const int exponent = exponent_of(largest);
    const unsigned large = split_row<Halves>(m, k, A, lda, row, exponent, parts.a);
    if (threadIdx.x != 0) return;
    parts.exponent_a[row] = exponent;
    if (!is_finite(largest)) *parts.not_finite = 1;
    if (largest != 0) atomicMax(parts.most_small_a, k - large);
    return;
  }

  const int strips = (n + kStripCols - 1) / kStripCols;
  const int col0 = (block - m) % strips * kStripCols;
  const int row0 = (block - m) / strips * kStripRows;
  const int own_col = threadIdx.x % kWarpSize * kVector;
  __shared__ unsigned largest[kStripCols];
  if (threadIdx.x < kStripCols) largest[threadIdx.x] = 0;
  uint4 own = {};
#pragma unroll
  for (int r = threadIdx.x / kWarpSize; r < kStripRows; r += kThreads / kWarpSize) {
    const float4 x = Tested::load4(B, k, n, ldb, row0 + r, col0 + own_col);
    own = make_uint4(max(own.x, magnitude(x.x)), max(own.y, magnitude(x.y)),
                     max(own.z, magnitude(x.z)), max(own.w, magnitude(x.w)));
  }
  __syncthreads();
  atomicMax(&largest[own_col], own.x);
  atomicMax(&largest[own_col + 1], own.y);
  atomicMax(&largest[own_col + 2], own.z);
  atomicMax(&largest[own_col + 3], own.w);
  __syncthreads();
  const int col = col0 + threadIdx.x;
  if (threadIdx.x < kStripCols && col < n) atomicMax(&parts.largest_b[col], largest[threadIdx.x]);
}

/// Splits 64 columns of B, 64 elements of each, which become rows. What it counts of each column is
/// added to counted, [kBlockN].
template <typename Type, typename ExponentOf>
__device__ inline void split_block(int n, int k, const float* B, int ldb, int col0, int k0,
                                   ExponentOf exponent_of_column, unsigned char* parts,
                                   unsigned* counted) {
  constexpr int kLanes = kBlockN / kVector;     // that load a row
  __shared__ float tile[kBlockN][kBlockK + 1];  // padded: two lanes share a bank, and not sixteen
#pragma unroll
  for (int r = threadIdx.x / kLanes; r < kBlockK; r += kThreads / kLanes) {
    const int c = threadIdx.x % kLanes * kVector;
    const float4 x = Tested::load4(B, k, n, ldb, k0 + r, col0 + c);
    tile[c][r] = x.x;
    tile[c + 1][r] = x.y;
    tile[c + 2][r] = x.z;
    tile[c + 3][r] = x.w;
  }
  __syncthreads();
  constexpr int kQuads = kBlockK / kVector;
  const int quads = spans<Type>(k) * Type::kSpan / kVector;
#pragma unroll
  for (int i = threadIdx.x; i < kBlockN * kQuads; i += kThreads) {
    const int c = i / kQuads, q = i % kQuads, quad = k0 / kVector + q;
    if (col0 + c >= n || quad >= quads) continue;
    const float* const x = &tile[c][q * kVector];
    atomicAdd(&counted[c],
              store_four<Type>(row_of<Type>(parts, col0 + c, k), quad,
                               make_float4(x[0], x[1], x[2], x[3]), exponent_of_column(col0 + c)));
  }
}

/// Splits B, and turns it over. The block that is last decides what is to multiply.
/// @expect  global_store_bytes = 4 * n * k + 12 * n + 20
/// @expect  global_atomic_requests = 3 * k * n / 4096
/// @expect  shared_atomic_requests = k * n / 128
/// @pre     kThreads threads, a block for 64 columns (x) and 64 rows (y)
static __global__ void __launch_bounds__(kThreads)
    split_columns(int n, int k,                          //
                  const float* __restrict__ B, int ldb,  // [k, n]
                  const Parts parts) {
  __shared__ unsigned large[kBlockN];
  const int col0 = blockIdx.x * kBlockN, k0 = blockIdx.y * kBlockK;
  const int own_col = col0 + threadIdx.x;
  const bool has_column = threadIdx.x < kBlockN && own_col < n;
  const auto exponent_of_column = [&](int col) { return exponent_of(parts.largest_b[col]); };
  if (threadIdx.x < kBlockN) large[threadIdx.x] = 0;
  split_block<Halves>(n, k, B, ldb, col0, k0, exponent_of_column, parts.b, large);
  __syncthreads();
  if (has_column) {
    const unsigned largest = parts.largest_b[own_col];
    atomicAdd(&parts.large_b[own_col], large[threadIdx.x]);
    if (!is_finite(largest)) *parts.not_finite = 1;
    if (blockIdx.y == 0) parts.exponent_b[own_col] = exponent_of(largest);
  }
  if (!last_block::arrives_last(parts.arrived, gridDim.x * gridDim.y)) return;

  unsigned most_small_b = 0;
  for (int col = threadIdx.x; col < n; col += kThreads) {
    const unsigned large_ones = __ldcg(&parts.large_b[col]);
    if (large_ones != 0) most_small_b = max(most_small_b, k - large_ones);
    parts.large_b[col] = 0;
    parts.largest_b[col] = 0;
  }
  most_small_b = totals_of_block(most_small_b, 0).largest;
  if (threadIdx.x != 0) return;
  // Then at least an eighth of the products of every dot product have no small factor, and what the
  // others lose is less than what fp32 rounds away.
  const unsigned long long small_ones = 0ull + __ldcg(parts.most_small_a) + most_small_b;
  const bool fits = 8 * small_ones <= 7ull * k;
  const Verdict verdict = __ldcg(parts.not_finite) != 0 ? kFfma : fits ? kHalves : kTf32s;
  *parts.verdict = *parts.second_verdict = verdict;
  *parts.most_small_a = 0;
  *parts.not_finite = 0;
}

/// Where a problem's workspace has what.
inline Parts parts_of(const Sgemm& s) {
  const std::size_t row_bytes = std::size_t(kSpanBytes) * spans<Tf32s>(s.k);  // halves need half
  Parts parts{};
  parts.a = reinterpret_cast<unsigned char*>(s.workspace);
  parts.b = parts.a + s.m * row_bytes;
  parts.exponent_a = reinterpret_cast<int*>(parts.b + s.n * row_bytes);
  parts.exponent_b = parts.exponent_a + s.m;
  parts.largest_b = reinterpret_cast<unsigned*>(parts.exponent_b + s.n);
  parts.large_b = parts.largest_b + s.n;
  parts.most_small_a = parts.large_b + s.n;
  parts.arrived = parts.most_small_a + 1;
  parts.not_finite = parts.arrived + 1;
  parts.verdict = reinterpret_cast<Verdict*>(parts.not_finite + 1);
  parts.second_verdict = parts.verdict + 1;
  return parts;
}

/// Floats of workspace, zero before the first launch.
inline std::size_t workspace_floats(const Sgemm& s) {
  constexpr int kSingles = 5, kPerColumn = 3;
  const std::size_t row_floats = kSpanBytes / sizeof(float) * spans<Tf32s>(s.k);
  return (std::size_t(s.m) + s.n) * row_floats + s.m + kPerColumn * std::size_t(s.n) + kSingles;
}

/// Splits A and B into halves.
inline void launch(const Sgemm& s, const Parts& parts, cudaStream_t stream) {
  using course::divide_up;
  const int k = s.used_k(), strips = divide_up(s.n, kStripCols) * divide_up(k, kStripRows);
  split_rows<<<s.m + strips, kThreads, 0, stream>>>(s.m, s.n, k, s.A, s.lda, s.B, s.ldb, parts);
  course::check_launch();
  const dim3 blocks(divide_up(s.n, kBlockN), std::max(1, divide_up(k, kBlockK)));
  split_columns<<<blocks, kThreads, 0, stream>>>(s.n, k, s.B, s.ldb, parts);
  course::check_launch();
}

}  // namespace split
