#pragma once

/// @file
/// Small tiles whose panels come through registers: where TMA cannot read the matrices, and a copy
/// of them would take longer than the product.

#include "16_even_shares.cuh"
#include "early_start.cuh"

namespace pipeline {

/// A matrix that threads load themselves, wherever its rows begin.
struct Matrix {
  const float* data;
  int rows, cols, ld;
};

/// A thread's part of a panel of A and of B, on its way through registers: the lanes of a warp load
/// neighbours of a row.
template <typename S>
class Passing {
 public:
  /// Loads the part of the panel that begins with k = p. There are zeros beyond the last k. Rows
  /// below the last one are that one again, and so are columns: nobody stores what they add up to.
  __device__ void load(const Matrix& A, const Matrix& B, const Corner& tile, int p) {
#pragma unroll
    for (int span = 0; span < kSpans; ++span) {
      const int col = p + span * kSpan + threadIdx.x % kSpan;
#pragma unroll
      for (int i = 0; i < kLoadsA; ++i) {
        const int row = tile.row + threadIdx.x / kSpan + i * kRowsA;
        a_[span][i] = col < A.cols ? element(A.data, A.ld, min(row, A.rows - 1), col) : 0.0f;
      }
    }
#pragma unroll
    for (int band = 0; band < kBands; ++band) {
      const int col = tile.col + band * kBand + threadIdx.x % kBand;
#pragma unroll
      for (int i = 0; i < kLoadsB; ++i) {
        const int row = p + threadIdx.x / kBand + i * kRowsB;
        b_[band][i] = row < B.rows ? element(B.data, B.ld, row, min(col, B.cols - 1)) : 0.0f;
      }
    }
  }

  /// Stores it where TMA would have put it.
  __device__ void store(float* stage) const {
    const int quad = threadIdx.x % kSpan / kVector, in_quad = threadIdx.x % kVector;
#pragma unroll
    for (int span = 0; span < kSpans; ++span)
#pragma unroll
      for (int i = 0; i < kLoadsA; ++i) {
        const int row = threadIdx.x / kSpan + i * kRowsA;
        stage[(span * S::kTileM + row) * kSpan + (quad ^ row % 8) * kVector + in_quad] =
            a_[span][i];
      }
    float* const b_panel = stage + S::kFloatsA;
#pragma unroll
    for (int band = 0; band < kBands; ++band)
#pragma unroll
      for (int i = 0; i < kLoadsB; ++i)
        b_panel[(threadIdx.x / kBand + i * kRowsB) * S::kTileN + band * kBand +
                threadIdx.x % kBand] = b_[band][i];
  }

 private:
  // Whole warps load a row of a span of A, and of a band of B.
  static constexpr int kSpans = S::kPanel / kSpan, kRowsA = S::kThreads / kSpan;
  static constexpr int kBand = std::min(S::kTileN, kWarpSize), kRowsB = S::kThreads / kBand;
  static constexpr int kBands = S::kTileN / kBand;
  static constexpr int kLoadsA = S::kTileM / kRowsA, kLoadsB = S::kPanel / kRowsB;
  static_assert(kLoadsA * kRowsA == S::kTileM && kLoadsB * kRowsB == S::kPanel);

  float a_[kSpans][kLoadsA];
  float b_[kBands][kLoadsB];
};

/// A block multiplies one panel while its threads load the next one into registers. So A and B may
/// begin anywhere, and nothing is copied first.
/// @expect  bulk_copies = 0
/// @expect  global_load_requests = m * n * k / 32 * (kTileM + kTileN) / (kTileM * kTileN)
/// @expect  global_store_requests = m * n / 32
/// @pre     S::kThreads threads, S::kSharedBytes of dynamic shared memory, the schedule's blocks;
///          S::kStages is 2. The figures are those of a schedule that splits no tile
template <typename S, typename SomePieces>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm_direct(int m, int n, int k, float alpha,  //
                 const float* A, int lda,           // [m, k]
                 const float* B, int ldb,           // [k, n]
                 float beta,                        //
                 float* C, int ldc,                 // [m, n]
                 const even_shares::Schedule schedule, const SomePieces pieces) {
  extern __shared__ __align__(1024) float stages[];  // [2, A's panel then B's]; later C's tile
  const Place<S> place(threadIdx.x);
  const Matrix a = {A, m, k, lda}, b = {B, k, n, ldb};
  cudaGridDependencySynchronize();
  even_shares::for_share(schedule, [&](const even_shares::Work& work) {
    const Corner tile = corner_of<S>(work.tile, schedule.tiles_m, schedule.tiles_n);
    const int end = min(k, (work.first + work.count) * S::kPanel);
    float sum[S::kThreadM][S::kThreadN] = {};
    Passing<S> next;
    int p = work.first * S::kPanel;
    if (p < end) next.load(a, b, tile, p);
    float* stage = stages;
#pragma unroll 1
    for (; p < end; p += S::kPanel) {
      next.store(stage);
      __syncthreads();
      if (p + S::kPanel < end) next.load(a, b, tile, p + S::kPanel);

      const float* a_rows = stage + place.a_offset();
      const float* b_rows = stage + place.b_offset();
      Fragments<S> f;
      f.load_a(a_rows + place.swizzled(0));
      f.load_b(0, b_rows);
      const int quads = place.own_quads((k - p + kVector - 1) / kVector);
#pragma unroll 1
      for (int q = 0; q < quads; ++q) {
        const int next_q = min(q + 1, quads - 1);  // what the last one loads is not used
        multiply_quad<S>(sum, f, b_rows + q * S::kQuadB, a_rows + place.swizzled(next_q),
                         b_rows + next_q * S::kQuadB);
      }
      stage = stage == stages ? stages + S::kStageFloats : stages;
    }
    __syncthreads();
    stage_sums<S>(sum, place, stages);
    __syncthreads();
    even_shares::finish<S>(C, m, n, ldc, tile, alpha, beta, stages, schedule, work, pieces);
  });
}

/// Launches the schedule's blocks.
template <typename S, typename SomePieces>
void launch_direct(const Sgemm& s, const even_shares::Schedule& schedule, int blocks,
                   const SomePieces& pieces, cudaStream_t stream) {
  course::check(cudaFuncSetAttribute(sgemm_direct<S, SomePieces>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  early_start::launch(sgemm_direct<S, SomePieces>, blocks, S::kThreads, S::kSharedBytes, stream,
                      s.m, s.n, s.used_k(), s.alpha, s.A, s.lda, s.B, s.ldb, s.beta, s.C, s.ldc,
                      schedule, pieces);
}

}  // namespace pipeline
