#pragma once

#include "pipeline.cuh"

namespace pipeline {

/// What a thread multiplies next.
template <typename S>
struct Fragments {
  float4 a[S::kThreadM];           // [row]: four k
  float4 b[2][S::kThreadVectors];  // [k even or odd]: the columns

  __device__ void load_a(const float* a_rows) {
#pragma unroll
    for (int i = 0; i < S::kThreadM; ++i) a[i] = load4(a_rows + i * kLaneRows * kSpan);
  }
  __device__ void load_b(int parity, const float* b_row) {
#pragma unroll
    for (int j = 0; j < S::kThreadVectors; ++j)
      b[parity][j] = load4(b_row + j * kLaneCols * kVector);
  }
};

/// Multiplies four k; meanwhile loads the fragments that the next four start with.
///
/// Back and forth along the rows: each FFMA shares an operand with the one before it, so it reads
/// two registers, and a scheduler's two banks deliver one each a cycle.
template <typename S>
__device__ __forceinline__ void multiply_quad(float (&sum)[S::kThreadM][S::kThreadN],
                                              Fragments<S>& f, const float* b, const float* next_a,
                                              const float* next_b) {
#pragma unroll
  for (int p = 0; p < kVector; ++p) {
    f.load_b((p + S::kAhead) % 2,
             p + S::kAhead < kVector ? b + (p + S::kAhead) * S::kStepB : next_b);
#pragma unroll
    for (int i = 0; i < S::kThreadM; ++i) {
#pragma unroll
      for (int step = 0; step < S::kThreadN; ++step) {
        const int j = i % 2 && S::kTurnsBack ? S::kThreadN - 1 - step : step;
        sum[i][j] += part(f.a[i], p) * part(f.b[p % 2][j / kVector], j % kVector);
      }
      if (p + S::kAhead == kVector) f.a[i] = load4(next_a + i * kLaneRows * kSpan);
    }
  }
  if (S::kAhead == 0) f.load_a(next_a);
}

/// Adds the product of a run of panels to `sum`.
///
/// request_panel(panel, stage, barrier) asks TMA for the bytes of one panel; the stages are filled
/// ahead, and one that has been read is filled again.
template <typename S, typename Place, typename Request>
__device__ __forceinline__ void multiply_panels(float (&sum)[S::kThreadM][S::kThreadN], int panels,
                                                const Place& place, float* stages,
                                                Barriers<S>& barriers, Ring<S>& ring,
                                                const Request& request_panel,
                                                int last_quads = S::kQuads) {
  if (panels == 0) return;
  const auto request = [&](int panel, const Ring<S>& last_use) {
    wait(&barriers.empty[last_use.slot], last_use.parity);
    request_panel(panel, stages + last_use.slot * S::kStageFloats, &barriers.full[last_use.slot]);
  };
  if (threadIdx.x == 0) {
    Ring<S> last_use = {ring.slot, ring.parity ^ 1};
#pragma unroll 1
    for (int i = 0; i < S::kStages - 1 && i < panels; ++i, last_use = last_use.next())
      request(i, last_use);
  }

  const float* a_first = stages + place.a_offset();
  const float* b_first = stages + place.b_offset();
  Fragments<S> f;
  wait(&barriers.full[ring.slot], ring.parity);
  f.load_a(a_first + ring.slot * S::kStageFloats + place.swizzled(0));
  f.load_b(0, b_first + ring.slot * S::kStageFloats);

#pragma unroll 1
  for (int done = 0; done < panels; ++done) {
    const float* a = a_first + ring.slot * S::kStageFloats;
    const float* b = b_first + ring.slot * S::kStageFloats;
#pragma unroll 1  // eight quads in a row are 70 KB of code: the instruction cache then costs 10 %
    for (int q = 0; q + 1 < (done + 1 == panels ? last_quads : S::kQuads); ++q) {
      const float* next_b = b + S::kQuadB;
      multiply_quad<S>(sum, f, b, a + place.swizzled(q + 1), next_b);
      b = next_b;
    }

    // The warps take turns to refill the stage of the panel before this one.
    const int ahead = done + S::kStages - 1;
    if (place.warp == (S::kTakesTurns ? done % S::kWarps : 0) && place.lane == 0 && ahead < panels)
      request(ahead, ring.previous());
    __syncwarp();
    const Ring<S> next = ring.next();
    const bool at_end = done + 1 == panels;
    if (!at_end) wait(&barriers.full[next.slot], next.parity);
    const int next_slot = at_end ? ring.slot : next.slot;  // the last one's loads are not used
    multiply_quad<S>(sum, f, b, a_first + next_slot * S::kStageFloats + place.swizzled(0),
                     b_first + next_slot * S::kStageFloats);
    __syncwarp();
    if (place.lane == 0) ptx::mbarrier_arrive(&barriers.empty[ring.slot]);
    ring = next;
  }
}

}  // namespace pipeline

namespace register_order {

using namespace pipeline;

using Large = TileShape<8, 16, 128, 256, 32, 4>;

/// The same in an order that the registers' banks can deliver.
/// @expect  global_load_requests = 0
/// @expect  bulk_copies = (1 + 1) * m * n * k / (128 * 256 * 32)
/// @expect  bulk_bytes = 4 * (m * k * n / 256 + k * n * m / 128)
/// @expect  shared_load_requests = (2 + 4) * m * n * k / 32 / 128
///            + (kThreadM + kThreadN / 4) * m * n / 32 / (kThreadM * kThreadN)
/// @expect  shared_load_wavefronts = (2 * 2 + 4 * 4) * m * n * k / 32 / 128
///            + (2 * kThreadM + 4 * kThreadN / 4) * m * n / 32 / (kThreadM * kThreadN)
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
  extern __shared__ __align__(1024) float stages[];  // [stage, A's tile then B's]
  __shared__ Barriers<S> barriers;
  const TilePlace<S> place(threadIdx.x);
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
  reach(is_whole, [&](auto access) {
    store_from_registers<S>(access, C, m, n, ldc, tile, place, alpha, sum, beta);
  });
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  launch_shape<Large>(sgemm<Large>, tile_count<Large>(s), s, stream);
}

}  // namespace register_order
