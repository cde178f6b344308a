#pragma once

/// @file
/// What the steps with 8-bit floats build on and none of them teaches: their tiles, how TMA and
/// wgmma find the matrices, and who has the stages filled.

#include <cuda_fp8.h>

#include "18_bulk_store.cuh"
#include "e4m3.cuh"
#include "eight_bit_problem.cuh"

namespace eight_bits {

namespace ptx = cuda::ptx;
using bf16::Barriers, bf16::Corner, bf16::Ring, bf16::kBoxCols, bf16::kBoxRowBytes,
    bf16::kGroupRows, bf16::kGroupThreads, bf16::kWarpSize, bf16::set_up, bf16::tile_count,
    bf16::wait;
using bulk_store::wait_for_stores;
using registers::get_many_registers, registers::keep_few_registers;
using resident_blocks::for_own_tiles;
using ring::own_group;

constexpr int kPanel = 128;  // k of a stage: 128 bytes of a row

/// What a block and a stage hold. A warpgroup has kParts times 64 rows of a tile.
template <int kTileM_, int kTileN_, int kStages_>
struct TileShape {
  static constexpr int kTileM = kTileM_, kTileN = kTileN_, kStages = kStages_;
  static constexpr int kParts = kTileM / (2 * kGroupRows);
  static constexpr int kWarps = 8;  // that multiply: two warpgroups
  static constexpr int kMultipliers = kWarps * kWarpSize;
  static constexpr int kThreads = kMultipliers + kGroupThreads;  // one more has the stages filled
  static constexpr int kSums = kGroupRows * kTileN / kGroupThreads;  // of a thread, in a part
  static constexpr int kBytesA = kTileM * kBoxRowBytes;
  static constexpr int kStageBytes = kBytesA + kTileN * kBoxRowBytes;
  static constexpr int kBoxes = kTileN / kBoxCols;  // of C; they are stored one or two at a time
  static constexpr int kResultBoxes = kBoxes % 2 == 0 ? 2 : 1;
  static constexpr int kResultBoxBytes = kGroupRows * kBoxRowBytes;
  static constexpr int kResultBytes = kResultBoxes * kResultBoxBytes;  // of a warpgroup
  static constexpr int kResultsAt = kStages * kStageBytes;             // behind the stages
  static constexpr int kSharedBytes = kResultsAt + 2 * kResultBytes;
  static constexpr int kGroupTiles = 16 / kParts;  // tile rows that are walked together
};

/// Has the stages filled for all of this block's tiles. One thread of the warpgroup asks for them;
/// outside the matrices, TMA delivers zeros.
template <typename S>
__device__ inline void request_tiles(const EightBitGemm& g, const CUtensorMap& A,
                                     const CUtensorMap& B, unsigned char* stages,
                                     Barriers<S>& barriers) {
  keep_few_registers();
  if (threadIdx.x != S::kMultipliers) return;
  Ring<S> ring;
  for_own_tiles<S>(g, [&](const Corner& tile) {
    for (int k = 0; k < g.k; k += kPanel, ring = ring.next()) {
      wait(&barriers.empty[ring.slot], ring.parity ^ 1);
      std::uint64_t* const full = &barriers.full[ring.slot];
      unsigned char* const stage = stages + ring.slot * S::kStageBytes;
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                     std::uint32_t{S::kStageBytes});
      const int at_a[] = {k, tile.row}, at_b[] = {k, tile.col};
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage, &A, at_a, full);
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage + S::kBytesA, &B, at_b,
                                full);
    }
  });
}

/// Where wgmma finds a warpgroup's operands in a stage: the first 64 of its rows of A, and B.
template <typename S>
struct Operands {
  std::uint64_t a, b;

  __device__ Operands(const unsigned char* stage, int group)
      : a(bf16::descriptor(stage + group * S::kParts * kGroupRows * kBoxRowBytes, 0)),
        b(bf16::descriptor(stage + S::kBytesA, 0)) {}
};

/// Starts the products of a stage with 64 rows of A. The operands are those of the first stage: a
/// sum is all that leads from them to another one.
template <typename S>
__device__ inline void multiply_panel(float (&sum)[S::kSums], const Operands<S>& first, int slot,
                                      int part, bool adds) {
  constexpr int kStep = 32, kUnit = 16;  // k of one wgmma; bytes that a descriptor counts in
  const std::uint64_t stage = slot * (S::kStageBytes / kUnit);
  const std::uint64_t a = first.a + stage + part * (kGroupRows * kBoxRowBytes / kUnit);
  const std::uint64_t b = first.b + stage;
  tensor::wgmma_fence(sum);
#pragma unroll
  for (int k = 0; k < kPanel; k += kStep)
    e4m3::wgmma(sum, a + k / kUnit, b + k / kUnit, adds || k > 0);
  tensor::wgmma_commit();
}

/// Tells the warpgroup that has the stages filled that this warp has read one.
template <typename S>
__device__ inline void release(Barriers<S>& barriers, int slot) {
  if (threadIdx.x % kWarpSize == 0) ptx::mbarrier_arrive(&barriers.empty[slot]);
}

/// Stores the sums of a part of a warpgroup's rows, times a scale.
template <typename S>
__device__ inline void store_part(const CUtensorMap& C, const Corner& tile, int group, int part,
                                  float (&sum)[S::kSums], float scale, unsigned char* results) {
#pragma unroll
  for (int i = 0; i < S::kSums; ++i) sum[i] *= scale;
  // store_boxes() goes 64 rows down for the second warpgroup; there are kParts times as many.
  const int row = tile.row + (group * (S::kParts - 1) + part) * kGroupRows;
  bulk_store::store_boxes<S>(C, {row, tile.col}, group, sum, results);
}

/// Describes M, [rows, k], to TMA, in boxes of so many rows and 128 k.
inline CUtensorMap describe(const __nv_fp8_e4m3* M, int rows, int k, int box_rows) {
  if (rows == 0 || k == 0) return {};
  CUtensorMap map;
  const cuuint64_t size[] = {cuuint64_t(k), cuuint64_t(rows)};
  const cuuint64_t stride_bytes[] = {cuuint64_t(k)};
  const cuuint32_t box[] = {cuuint32_t(kPanel), cuuint32_t(box_rows)};
  const cuuint32_t step[] = {1, 1};
  const CUresult result = tma::encode_function()(
      &map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, const_cast<__nv_fp8_e4m3*>(M), size, stride_bytes,
      box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(result));
  return map;
}

/// A kernel that multiplies 8-bit floats; C is described in boxes of 64 rows and columns.
using Kernel = void(EightBitGemm g, CUtensorMap A, CUtensorMap B, CUtensorMap C);

/// Launches a block for each multiprocessor that gets a tile.
template <typename S>
void launch_blocks(Kernel& kernel, const EightBitGemm& g, cudaStream_t stream) {
  course::check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes));
  kernel<<<std::min(g.multiprocessors, tile_count<S>(g)), S::kThreads, S::kSharedBytes, stream>>>(
      g, describe(g.A, g.m, g.k, S::kTileM), describe(g.B, g.n, g.k, S::kTileN),
      bf16::describe(g.C, g.m, g.n, kGroupRows));
  course::check_launch();
}

}  // namespace eight_bits
