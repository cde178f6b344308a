#pragma once

#include "14_register_order.cuh"

namespace pipeline {

/// A tile that warps share: each of kSlices has its part of every panel's k.
template <int kThreadM, int kThreadN, int kTileM, int kTileN, int kSlices_, int kPanel, int kStages>
struct Shape : TileShape<kThreadM, kThreadN, kTileM, kTileN, kPanel, kStages> {
  using Tile = TileShape<kThreadM, kThreadN, kTileM, kTileN, kPanel, kStages>;
  static constexpr int kSlices = kSlices_;
  static constexpr int kWarps = Tile::kWarps * kSlices;
  static constexpr int kThreads = Tile::kThreads * kSlices;
  static constexpr int kBlocks = 1;
  static constexpr int kQuads = Tile::kQuads / kSlices;  // fours of k, per warp and panel

  // Else whole tiles go from the registers to C.
  static constexpr bool kStagesSums = kSlices > 1;
  static constexpr int kSliceFloatsC = kTileM * Tile::kPitchC;
  static constexpr int kSharedFloats =
      std::max(kStages * Tile::kStageFloats, kSlices* kSliceFloatsC);
  static constexpr int kSharedBytes = kSharedFloats * sizeof(float);
  static constexpr int kChunk = std::gcd(Tile::kTileFloats / kThreads, kMaxChunk);

  static_assert(kSpan / kVector % kQuads == 0 && Tile::kTileFloats % (kChunk * kThreads) == 0);
};

/// A thread's place in the tile and in the panels.
template <typename S>
struct Place : TilePlace<S> {
  static constexpr int kSpanQuads = kSpan / kVector;
  int first_quad;  // of its slice of a panel

  __device__ explicit Place(int thread)
      : TilePlace<S>(thread), first_quad(this->warp / (S::kWarpsM * S::kWarpsN) * S::kQuads) {}

  /// Of so many quads of a panel, how many are its slice's; at least one, which may be all zeros.
  __device__ int own_quads(int quads) const { return max(1, min(quads - first_quad, S::kQuads)); }
  __device__ int a_offset() const {
    return first_quad / kSpanQuads * S::kTileM * kSpan + TilePlace<S>::a_offset();
  }
  /// Where the swizzle put quad q of its slice in a row of A.
  __device__ int swizzled(int q) const {
    return TilePlace<S>::swizzled(first_quad % kSpanQuads + q);
  }
  __device__ int b_offset() const { return first_quad * S::kQuadB + TilePlace<S>::b_offset(); }
  __device__ int c_offset() const {
    return first_quad / S::kQuads * S::kSliceFloatsC + TilePlace<S>::c_offset();
  }
};

/// Element e of the tile, row by row, summed over the slices.
template <typename S>
__device__ inline float staged_sum(const float* staged, int e) {
  float sum = 0.0f;
#pragma unroll
  for (int s = 0; s < S::kSlices; ++s)
    sum += staged[s * S::kSliceFloatsC + e / S::kTileN * S::kPitchC + e % S::kTileN];
  return sum;
}

/// This thread's part of a chunk, which begins with element e, summed over the slices.
template <typename S>
__device__ inline void read_staged(float (&total)[S::kChunk], const float* staged, int e) {
#pragma unroll
  for (int r = 0; r < S::kChunk; ++r) total[r] = staged_sum<S>(staged, e + r * S::kThreads);
}

/// Stores a tile whose sums are staged.
template <typename S>
__device__ inline void store_staged(float* C, int m, int n, int ldc, const Corner& tile,
                                    float alpha, float beta, const float* staged) {
  store_chunks<S>(C, m, n, ldc, tile, alpha, beta,
                  [&](float(&total)[S::kChunk], int e) { read_staged<S>(total, staged, e); });
}

}  // namespace pipeline

namespace slices {

using namespace pipeline;

/// The same for small matrices too: the warps of a block share a smaller tile of C, each with a
/// slice of every panel of k, and add up their sums in shared memory.
///
/// So a small tile keeps eight warps busy, each of which reads few bytes for its multiply-adds. A
/// load of B takes kWavefrontsB: 4, or 2 where lanes are mixed.
/// @expect  global_load_requests = 0
/// @expect  bulk_copies = (kPanel / 32 + 1) * m * n * k / (kTileM * kTileN * kPanel)
/// @expect  bulk_bytes = 4 * (m * k * n / kTileN + k * n * m / kTileM)
/// @expect  global_store_requests = m * n / 32
/// @expect  shared_load_requests = kSlices * m * n / 32
///            + (kThreadM + kThreadN) / 4 * m * n * k / 32 / (kThreadM * kThreadN)
///            + kSlices * (kThreadM + kThreadN / 4) * m * n / 32 / (kThreadM * kThreadN)
/// @expect  shared_load_wavefronts = kSlices * m * n / 32
///            + (2 * kThreadM + kWavefrontsB * kThreadN) / 4 * m * n * k / 32
///            / (kThreadM * kThreadN)
///            + kSlices * (2 * kThreadM + kWavefrontsB * kThreadN / 4) * m * n / 32
///            / (kThreadM * kThreadN)
/// @expect  shared_store_wavefronts = kSlices * m * n / 32
/// @pre     S::kThreads threads, S::kSharedBytes of dynamic shared memory, a block for every tile;
///          A is described with boxes of kTileM x kSpan and the 128-byte swizzle, B with boxes of
///          kPanel x kTileN
template <typename S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm(int m, int n, int k, float alpha,          //
          const __grid_constant__ CUtensorMap A,     // [m, k]
          const __grid_constant__ CUtensorMap B,     // [k, n]
          float beta,                                //
          float* __restrict__ C, int ldc) {          // [m, n]
  extern __shared__ __align__(1024) float stages[];  // [stage, A's tile then B's]; later C's tile
  __shared__ Barriers<S> barriers;
  const Place<S> place(threadIdx.x);
  set_up(barriers);

  const Corner tile =
      corner_of<S>(blockIdx.x, (m + S::kTileM - 1) / S::kTileM, (n + S::kTileN - 1) / S::kTileN);
  const bool is_whole =
      is_inside(m, n, tile.row, tile.col, S::kTileM, S::kTileN) && is_aligned(C, ldc);
  Ring<S> ring;
  float sum[S::kThreadM][S::kThreadN] = {};
  multiply_panels<S>(sum, (k + S::kPanel - 1) / S::kPanel, place, stages, barriers, ring,
                     [&](int panel, float* stage, std::uint64_t* full) {
                       request_panel<S>(A, B, tile.row, tile.col, panel * S::kPanel, stage, full);
                     });
  if (!S::kStagesSums && is_whole)
    return store_from_registers<S>(Untested{}, C, m, n, ldc, tile, place, alpha, sum, beta);
  __syncthreads();
  stage_sums<S>(sum, place, stages);
  __syncthreads();
  store_staged<S>(C, m, n, ldc, tile, alpha, beta, stages);
}

// The larger a tile, the fewer loads per FFMA; the smaller, the more multiprocessors have one.
using Large = Shape<8, 16, 128, 256, 1, 32, 3>;
using Medium = Shape<8, 16, 128, 64, 4, 64, 4>;
using Small = Shape<8, 8, 64, 32, 8, 128, 4>;
using Tiny = Shape<4, 4, 32, 16, 8, 128, 4>;

/// Calls use(shape) for the largest tile of which there are enough for all multiprocessors.
template <typename Use>
auto with_shape(const Sgemm& s, Use use) {
  const int enough = s.multiprocessors * 3 / 4;
  if (tile_count<Large>(s) >= enough) return use(Large{});
  if (tile_count<Medium>(s) >= enough) return use(Medium{});
  if (tile_count<Small>(s) >= enough) return use(Small{});
  return use(Tiny{});
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  with_shape(s, [&]<typename S>(S) { launch_shape<S>(sgemm<S>, tile_count<S>(s), s, stream); });
}

}  // namespace slices
