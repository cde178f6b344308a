#pragma once

#include "pipeline.cuh"

namespace tma {

using namespace pipeline;

/// 11 has no swizzle yet.
struct Tuned : TileShape<8, 8, 64, 128, 32, 2> {
  static constexpr bool kSwizzles = false;
};

/// The same with a ring of stages that TMA fills: barriers say which stage is full, and which is
/// empty again.
///
/// No lane copies tiles, and no barrier of the whole block stands in the loop. TMA does not turn A:
/// a thread reads four k of each of its rows at once. Eight rows lie in the same four banks, so
/// that half a warp needs four wavefronts where it could have one.
/// @expect  global_load_requests = 0
/// @expect  bulk_copies = (1 + 1) * m * n * k / (64 * 128 * 32)
/// @expect  bulk_bytes = 4 * (m * k * n / 128 + k * n * m / 64)
/// @expect  shared_load_requests = (2 + 2) * m * n * k / 32 / 64
/// @expect  shared_load_wavefronts = (2 * 8 + 2 * 4) * m * n * k / 32 / 64
/// @pre     S::kThreads threads, S::kSharedBytes of dynamic shared memory; the grid covers n in x,
///          m in y; A is described with boxes of kTileM x kSpan, B with boxes of kPanel x kTileN
template <typename S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm(int m, int n, int k, float alpha,       //
          const __grid_constant__ CUtensorMap A,  // [m, k]
          const __grid_constant__ CUtensorMap B,  // [k, n]
          float beta,                             //
          float* __restrict__ C, int ldc) {       // [m, n]
  constexpr int kTileM = S::kTileM, kTileN = S::kTileN, kTileK = S::kPanel;
  constexpr int kThreadM = S::kThreadM, kThreadN = S::kThreadN;
  constexpr int kWarpM = kLaneRows * kThreadM, kWarpN = kLaneCols * kThreadN;
  constexpr int kGroupN = kWarpN / (kThreadN / kVector);
  extern __shared__ __align__(1024) float stages[];  // [stage, A's tile then B's]
  __shared__ Barriers<S> barriers;
  const int row0 = blockIdx.y * kTileM;
  const int col0 = blockIdx.x * kTileN;
  const bool is_whole = is_inside(m, n, row0, col0, kTileM, kTileN) && ::is_aligned(C, ldc);
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  const int row = warp / (kTileN / kWarpN) * kWarpM + lane / kLaneCols * kThreadM;
  const int col = warp % (kTileN / kWarpN) * kWarpN + lane % kLaneCols * kVector;

  const auto load_next = [&](int k0, const Ring<S>& last_use) {
    if (k0 >= k) return;
    wait(&barriers.empty[last_use.slot], last_use.parity);
    request_panel<S>(A, B, row0, col0, k0, stages + last_use.slot * S::kStageFloats,
                     &barriers.full[last_use.slot]);
  };
  set_up(barriers);
  if (threadIdx.x == 0)
    for (int i = 0; i < S::kStages - 1; ++i) load_next(i * kTileK, {i, 1});

  float sum[kThreadM][kThreadN] = {};
  Ring<S> ring;
  for (int k0 = 0; k0 < k; k0 += kTileK, ring = ring.next()) {
    if (threadIdx.x == 0) load_next(k0 + (S::kStages - 1) * kTileK, ring.previous());
    __syncwarp();
    const float* a_tile = stages + ring.slot * S::kStageFloats;  // [kTileM, kTileK]
    const float* b_tile = a_tile + S::kFloatsA;                  // [kTileK, kTileN]
    wait(&barriers.full[ring.slot], ring.parity);

#pragma unroll 2
    for (int p = 0; p < kTileK; p += kVector) {
      __align__(sizeof(float4)) float a[kThreadM][kVector], b[kThreadN];
      for (int i = 0; i < kThreadM; ++i)
        as_float4(a[i][0]) = as_float4(a_tile[(row + i) * kTileK + p]);
      for (int q = 0; q < kVector; ++q) {
        for (int j = 0; j < kThreadN; j += kVector)
          as_float4(b[j]) = as_float4(b_tile[(p + q) * kTileN + col + j / kVector * kGroupN]);
        for (int i = 0; i < kThreadM; ++i)
          for (int j = 0; j < kThreadN; ++j) sum[i][j] += a[i][q] * b[j];
      }
    }
    __syncwarp();
    if (lane == 0) ptx::mbarrier_arrive(&barriers.empty[ring.slot]);
  }
  reach(is_whole, [&](auto access) {
#pragma unroll
    for (int i = 0; i < kThreadM; ++i)
#pragma unroll
      for (int j = 0; j < kThreadN; j += kVector)
        access.store4(C, m, n, ldc, row0 + row + i, col0 + col + j / kVector * kGroupN, alpha,
                      &sum[i][j], beta);
  });
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  launch_shape<Tuned>(sgemm<Tuned>, grid_of<Tuned>(s), s, stream);
}

}  // namespace tma
