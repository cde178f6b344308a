#pragma once

/// @file
/// What the steps with bfloat16 build on and none of them teaches: how TMA and wgmma find the
/// matrices, and how sums get from registers to C.

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cuda/ptx>
#include <stdexcept>
#include <string>

#include "../../09_sgemm/steps/pipeline.cuh"
#include "bf16.cuh"
#include "gemm_problem.cuh"
#include "wgmma.cuh"

namespace bf16 {

using Number = __nv_bfloat16;

namespace ptx = cuda::ptx;
using pipeline::Barriers, pipeline::Corner, pipeline::Ring, pipeline::corner_of, pipeline::set_up,
    pipeline::wait;

constexpr int kWarpSize = 32;
constexpr int kGroupThreads = 128;  // a warpgroup
constexpr int kGroupRows = 64;      // of A and C that one wgmma has
constexpr int kPanel = 64;          // k of a stage: 128 bytes of a row of A
constexpr int kBoxCols = 64;        // of B and C in one box of TMA's: 128 bytes, too
constexpr int kBoxRowBytes = 128;   // what the swizzle permutes

/// What a block and a stage hold. A panel of B comes as boxes of 64 columns, one after the other.
template <int kTileN_, int kStages_>
struct TileShape {
  static constexpr int kTileM = 2 * kGroupRows, kTileN = kTileN_, kStages = kStages_;
  static constexpr int kWarps = 8;  // that multiply: two warpgroups, each with half of the rows
  static constexpr int kMultipliers = kWarps * kWarpSize;
  static constexpr int kThreads = kMultipliers + kGroupThreads;  // one more has the stages filled
  static constexpr int kSums = kGroupRows * kTileN / kGroupThreads;  // of a thread
  static constexpr int kBytesA = kTileM * kBoxRowBytes;
  static constexpr int kBoxBytes = kPanel * kBoxRowBytes;
  static constexpr int kBoxes = kTileN / kBoxCols;
  static constexpr int kStageBytes = kBytesA + kBoxes * kBoxBytes;
  static constexpr int kSharedBytes = kStages * kStageBytes;
  static constexpr int kGroupTiles = 16;  // tile rows that are walked together
};

/// Asks TMA for a panel of A and of B at a corner of C; outside the matrices it delivers zeros.
template <typename S>
__device__ inline void request(const CUtensorMap& A, const CUtensorMap& B, const Corner& tile,
                               int panel, unsigned char* stage, std::uint64_t* full) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                 std::uint32_t{S::kStageBytes});
  const int at_a[] = {panel * kPanel, tile.row};
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, stage, &A, at_a, full);
#pragma unroll
  for (int box = 0; box < S::kBoxes; ++box) {
    const int at_b[] = {tile.col + box * kBoxCols, panel * kPanel};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                              stage + S::kBytesA + box * S::kBoxBytes, &B, at_b, full);
  }
}

/// Tells wgmma where a matrix with the 128-byte swizzle lies: the address, the bytes from one box
/// to the next (where rows lie along n), the bytes from eight rows to the next eight.
__device__ inline std::uint64_t descriptor(const unsigned char* shared, int box_bytes) {
  constexpr std::uint64_t kSwizzle128 = 1, kEightRows = 8 * kBoxRowBytes;
  constexpr int kUnit = 16, kLeadingAt = 16, kStrideAt = 32, kSwizzleAt = 62;
  constexpr std::uint64_t kInBlock = (1 << 18) - 1;  // a cluster's addresses have more bits
  const std::uint64_t address = __cvta_generic_to_shared(shared) & kInBlock;
  return address / kUnit | std::uint64_t(box_bytes / kUnit) << kLeadingAt |
         kEightRows / kUnit << kStrideAt | kSwizzle128 << kSwizzleAt;
}

/// Starts the products of a stage: a warpgroup's 64 rows of A times all columns of B.
template <typename S>
__device__ inline void multiply_panel(float (&sum)[S::kSums], const unsigned char* stage, int group,
                                      bool adds) {
  constexpr int kStep = 16;  // k of one wgmma
  // In units of a descriptor's address: 16 elements of a row of A, 16 rows of B.
  constexpr std::uint64_t kNextA = 2, kNextB = kStep * kBoxRowBytes / 16;
  const std::uint64_t a = descriptor(stage + group * kGroupRows * kBoxRowBytes, 0);
  const std::uint64_t b = descriptor(stage + S::kBytesA, S::kBoxBytes);
  tensor::wgmma_fence(sum);
#pragma unroll
  for (int i = 0; i < kPanel / kStep; ++i)
    wgmma(sum, a + i * kNextA, b + i * kNextB, adds || i > 0);
  tensor::wgmma_commit();
}

/// Two neighbours of a row as one word.
__device__ inline std::uint32_t rounded(float first, float second) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
  return std::uint32_t{__bfloat16_as_ushort(pair.y)} << 16 | __bfloat16_as_ushort(pair.x);
}

/// Stores two neighbours of a row; n is even, so that both are inside C or neither is.
__device__ inline void store_pair(const Gemm& g, int row, int col, float first, float second) {
  if (row < g.m && col < g.n)
    *reinterpret_cast<std::uint32_t*>(&element(g.C, g.n, row, col)) = rounded(first, second);
}

/// Stores a thread's sums of the tile at a corner of C from its registers. In wgmma's result, a
/// warp has 16 rows; a lane has pairs of neighbours, in two rows that are 8 apart, every 8 columns.
template <typename S>
__device__ inline void store_from_registers(const Gemm& g, const Corner& tile,
                                            const float (&sum)[S::kSums]) {
  constexpr int kWarpRows = 16, kApart = 8, kLanesOfRow = 4;
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  const int row = tile.row + warp * kWarpRows + lane / kLanesOfRow;
  const int col = tile.col + lane % kLanesOfRow * 2;
#pragma unroll
  for (int i = 0; i < S::kSums; i += 4) {
    store_pair(g, row, col + i / 4 * kApart, sum[i], sum[i + 1]);
    store_pair(g, row + kApart, col + i / 4 * kApart, sum[i + 2], sum[i + 3]);
  }
}

/// Describes M, [rows, cols], to TMA, in boxes of so many rows and 64 columns.
inline CUtensorMap describe(const Number* M, int rows, int cols, int box_rows) {
  if (rows == 0 || cols == 0) return {};
  CUtensorMap map;
  const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)};
  const cuuint64_t stride_bytes[] = {cuuint64_t(cols) * sizeof(Number)};
  const cuuint32_t box[] = {cuuint32_t(kBoxCols), cuuint32_t(box_rows)};
  const cuuint32_t step[] = {1, 1};
  const CUresult result = tma::encode_function()(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<Number*>(M), size, stride_bytes, box,
      step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(result));
  return map;
}

///@{
/// The tiles of C: one above the other, side by side, and all of them.
template <typename S, typename Problem>
__host__ __device__ inline int tiles_m(const Problem& g) {
  return (g.m + S::kTileM - 1) / S::kTileM;
}
template <typename S, typename Problem>
__host__ __device__ inline int tiles_n(const Problem& g) {
  return (g.n + S::kTileN - 1) / S::kTileN;
}
template <typename S, typename Problem>
__host__ __device__ inline int tile_count(const Problem& g) {
  return tiles_m<S>(g) * tiles_n<S>(g);
}
///@}

/// Launches a kernel that reads A and B through TMA; `others` are its further parameters.
template <typename S, typename... Parameters, typename... Others>
void launch_kernel(void (*kernel)(Parameters...), const dim3& grid, int threads, int shared_bytes,
                   const Gemm& g, cudaStream_t stream, const Others&... others) {
  course::check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  kernel<<<grid, threads, shared_bytes, stream>>>(g, describe(g.A, g.m, g.k, S::kTileM),
                                                  describe(g.B, g.k, g.n, kPanel), others...);
  course::check_launch();
}

/// Launches a block for every tile of C.
template <typename S, typename... Parameters>
void launch_tiles(void (*kernel)(Parameters...), int threads, const Gemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  const dim3 grid(tiles_n<S>(g), tiles_m<S>(g));
  launch_kernel<S>(kernel, grid, threads, S::kSharedBytes, g, stream);
}

}  // namespace bf16
