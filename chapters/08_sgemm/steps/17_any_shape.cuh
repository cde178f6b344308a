#pragma once

/// @file
/// The last step: fast for matrices of any shape, wherever their rows begin.

#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/ptx>
#include <functional>
#include <limits>

#include "16_even_shares.cuh"
#include "any_shape_align.cuh"
#include "any_shape_copies.cuh"
#include "any_shape_pieces.cuh"
#include "any_shape_tiles.cuh"
#include "any_shape_vectors.cuh"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "pipeline.cuh"
#include "problem.cuh"
#include "tma.cuh"

namespace any_shape {

/// The same for every shape: k is cut into parts where there are few tiles, and thin matrices have
/// thin tiles.
///
/// The pieces of a tile meet in global memory. Whoever arrives last adds them up, always in the
/// same order. Where they are many, the last of each fan adds up its fan, and the last of these the
/// fans' sums: so no block has to read all the pieces alone.
template <typename S, Fill kFill>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sgemm(int m, int n, int k, float alpha,           //
          const __grid_constant__ CUtensorMap map_a,  // [m, k]
          const __grid_constant__ CUtensorMap map_b,  // [k, n]
          const Plain A, const Plain B,               // instead, where threads copy
          float beta,                                 //
          float* C, int ldc,                          // [m, n]
          const Split split, const Pieces pieces) {   //
  extern __shared__ __align__(1024) float stages[];   // [stage, A's panel then B's]; later C's tile
  __shared__ Barriers<S> barriers;
  const Place<S> place(threadIdx.x);
  set_up(barriers, arrivals<S>(A, B));

  const int tile = blockIdx.x / split.parts, part = blockIdx.x % split.parts;
  const auto [row0, col0] =
      corner_of<S>(tile, (m + S::kTileM - 1) / S::kTileM, (n + S::kTileN - 1) / S::kTileN);
  const int panels = (k + S::kPanel - 1) / S::kPanel;
  const int first = static_cast<int>(1LL * panels * part / split.parts);
  const int last = static_cast<int>(1LL * panels * (part + 1) / split.parts);

  float sum[S::kThreadM][S::kThreadN] = {};
  constexpr bool kByThreads = kFill == Fill::kByThreads;
  Ring<S> ring;
  multiply_panels<S, kByThreads>(sum, last - first, place, stages, barriers, ring,
                                 [&](int panel, float* stage, std::uint64_t* full) {
                                   const int p0 = (first + panel) * S::kPanel;
                                   if constexpr (kByThreads)
                                     copy_panel<S>(A, map_a, B, map_b, place, row0, col0, p0, stage,
                                                   full);
                                   else
                                     request_panel<S>(map_a, map_b, row0, col0, p0, stage, full);
                                 });
  const bool is_whole = is_inside(m, n, row0, col0, S::kTileM, S::kTileN) && is_aligned(C, ldc);
  if (!S::kStagesSums && split.parts == 1 && is_whole)
    return store_from_registers<S>(Untested{}, C, m, n, ldc, {row0, col0}, place, alpha, sum, beta);
  __syncthreads();
  stage_sums<S>(sum, place, stages);
  __syncthreads();

  if (split.parts == 1) return store_sums<S>(C, m, n, ldc, row0, col0, alpha, beta, Staged{stages});

  float* const tile_pieces = pieces.sums + 1LL * tile * split.parts * S::kTileFloats;
  unsigned* const arrived = pieces.arrived + tile * (1 + split.fans());
  leave_piece<S>(tile_pieces + 1LL * part * S::kTileFloats, Staged{stages});
  const int fan = part / split.fan, fan_begin = fan * split.fan;
  float* const fan_pieces = tile_pieces + 1LL * fan_begin * S::kTileFloats;
  PieceRun run = {fan_pieces, min(split.fan, split.parts - fan_begin), 1};
  if (!arrives_last(arrived + 1 + fan, run.count)) return;
  if (split.fans() > 1) {
    leave_piece<S>(fan_pieces, InPieces{run});
    run = {tile_pieces, split.fans(), split.fan};
    if (!arrives_last(arrived, run.count)) return;
  }
  store_sums<S>(C, m, n, ldc, row0, col0, alpha, beta, InPieces{run});
}

/// A way to multiply, and how long it is to take.
struct Plan {
  double cycles;
  std::size_t workspace_floats;
  std::function<void(const Sgemm&, cudaStream_t)> launch;
};

template <typename S>
void launch_shape(const Sgemm& s, const Split& split, Fill fill, cudaStream_t stream);

/// The fastest way to cut k with tiles of this shape, if it is faster than `best`.
template <typename S>
void consider(const Sgemm& s, Fill fill, Plan& best) {
  constexpr int kMostRounds = 2;  // of blocks with parts of tiles
  const int tiles = tile_count<S>(s), slots = s.multiprocessors * S::kBlocks;
  const int most = std::clamp(kMostRounds * slots / tiles, 1,
                              std::max(1, course::divide_up(s.used_k(), S::kPanel)));
  for (int parts = 1; parts <= most; ++parts) {
    const Split split = split_into(parts);
    const double cycles = predicted_cycles<S>(s, split, fill);
    if (cycles >= best.cycles) continue;
    const std::size_t copies = fill == Fill::kByTma ? tma::copies_floats(s) : 0;
    const std::size_t pieces =
        parts == 1 ? 0
                   : std::size_t(tiles) * (std::size_t(parts) * S::kTileFloats + 1 + split.fans());
    best = {cycles, copies + pieces, [split, fill](const Sgemm& some, cudaStream_t stream) {
              launch_shape<S>(some, split, fill, stream);
            }};
  }
}

template <typename... S>
void consider_all(const Sgemm& s, Fill fill, Plan& best) {
  (consider<S>(s, fill, best), ...);
}

/// The same for the step before this one, with its tiles of this shape.
template <typename E>
void consider_shares(const Sgemm& s, Plan& best) {
  using S = Shape<1, pipeline::Shape<E::kThreadM, E::kThreadN, E::kTileM, E::kTileN, E::kSlices,
                                     E::kPanel, E::kStages>>;
  const double cycles = predicted_share_cycles<S>(s);
  if (cycles >= best.cycles) return;
  const std::size_t pieces =
      std::size_t(2) * even_shares::schedule_of<E>(s).second * E::kTileFloats + tile_count<S>(s);
  best = {cycles, tma::copies_floats(s) + pieces, [](const Sgemm& some, cudaStream_t stream) {
            even_shares::launch_split<E>(align_operands(some, stream), stream);
          }};
}

/// The fastest way, by prediction.
inline Plan plan_of(const Sgemm& s) {
  Plan best = {std::numeric_limits<double>::infinity(), 0, {}};
  const auto consider_tiles = [&](Fill fill) {
    consider_all<Large, Middle, Square, Short, Sliced, SlicedShort, Small, SmallShort, Tiny, Least,
                 Flat64, Flat32, Flat32Short, Flat16, Flat16Short, Thin32, Thin32Short, Thin16,
                 Thin16Short>(s, fill, best);
  };
  consider_tiles(Fill::kByTma);
  if (tma::copies_floats(s) > 0) consider_tiles(Fill::kByThreads);
  if (s.used_k() == 0) return best;
  consider_shares<even_shares::Large>(s, best);
  consider_shares<even_shares::Medium>(s, best);
  return best;
}

/// Floats of workspace, zero before the first launch.
inline std::size_t workspace_floats(const Sgemm& s) {
  if (s.m == 0 || s.n == 0) return 0;
  return has_vector(s) ? vector_workspace_floats(s) : plan_of(s).workspace_floats;
}

template <typename S>
void launch_shape(const Sgemm& s, const Split& split, Fill fill, cudaStream_t stream) {
  Sgemm aligned = s;
  if (fill == Fill::kByTma) aligned = align_operands(s, stream);
  const int k = s.used_k();
  const tma::Rows a = {aligned.A, aligned.lda}, b = {aligned.B, aligned.ldb};
  CUtensorMap map_a{}, map_b{};
  Plain A, B;
  if (k > 0 && tma::is_aligned(a))
    map_a = tma::describe(a, s.m, k, S::kTileM, kSpan, CU_TENSOR_MAP_SWIZZLE_128B);
  else if (k > 0)
    A = {a.data, a.ld, s.m, k};
  if (k > 0 && tma::is_aligned(b))
    map_b = tma::describe(b, k, s.n, S::kPanel, S::kTileN, CU_TENSOR_MAP_SWIZZLE_NONE);
  else if (k > 0)
    B = {b.data, b.ld, k, s.n};

  const int tiles = tile_count<S>(s);
  float* const sums = aligned.workspace;
  const std::size_t piece_floats = std::size_t(tiles) * split.parts * S::kTileFloats;
  const Pieces pieces = {sums, reinterpret_cast<unsigned*>(sums + piece_floats)};
  const auto launch = [&](auto* kernel) {
    course::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
    kernel<<<tiles * split.parts, S::kThreads, S::kSharedBytes, stream>>>(
        s.m, s.n, k, s.alpha, map_a, map_b, A, B, s.beta, s.C, s.ldc, split, pieces);
  };
  if (A.is_there() || B.is_there())
    launch(sgemm<S, Fill::kByThreads>);
  else
    launch(sgemm<S, Fill::kByTma>);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  if (has_vector(s))
    launch_vector(s, stream);
  else
    plan_of(s).launch(s, stream);
}

}  // namespace any_shape
