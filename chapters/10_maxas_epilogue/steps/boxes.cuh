#pragma once

/// @file
/// What the products of bfloat16 share on their way to C: each warp has a box of shared memory to
/// itself, for half of its 64 x 32 results at a time. Their main loop is chapter 11's.

#include "../../11_tensor_cores/steps/12_warp_products.cuh"
#include "problem.cuh"

namespace boxes {

using namespace warp_products;

constexpr int kWarps = kThreads / kWarpSize;
constexpr int kBoxRows = kWarpM / 2, kRounds = 2;  // a box is filled twice
constexpr int kRowBytes = kWarpN * sizeof(Number), kRowChunks = kRowBytes / 16;
constexpr int kBoxBytes = kBoxRows * kRowBytes;

/// Where a row's 16-byte chunk stands: TMA's 64-byte swizzle. Eight chunks below one another lie in
/// different banks.
__device__ inline int swizzled(int row, int chunk) { return chunk ^ row / 2 % kRowChunks; }

/// Rounds a round's results and stores them in the warp's box: 16 x 16 at a time, by stmatrix.
/// Every lane brings two neighbours of each of four small matrices, and the address of one row.
__device__ inline void fill(unsigned char* box, int round, const Sums& sum) {
  const int lane = threadIdx.x % kWarpSize;
#pragma unroll
  for (int i = 0; i < kBoxRows / kMmaM; ++i)
#pragma unroll
    for (int j = 0; j < kWarpN / kMmaN; j += 2) {
      const float* const left = sum[round * kBoxRows / kMmaM + i][j];
      const float* const right = sum[round * kBoxRows / kMmaM + i][j + 1];
      const std::uint32_t words[] = {rounded(left[0], left[1]), rounded(left[2], left[3]),
                                     rounded(right[0], right[1]), rounded(right[2], right[3])};
      const int row = i * kMmaM + lane % kMmaM, chunk = j + lane / kMmaM;
      store_matrices(box + row * kRowBytes + swizzled(row, chunk) * 16, words);
    }
}

/// Launches a block for every tile of C.
template <typename... Parameters, typename... Arguments>
void launch_tiles(void (*kernel)(Parameters...), const Gemm& g, cudaStream_t stream,
                  const Arguments&... arguments) {
  if (g.m == 0 || g.n == 0) return;
  const dim3 grid(course::divide_up(g.n, kTileN), course::divide_up(g.m, kTileM));
  kernel<<<grid, kThreads, 0, stream>>>(arguments...);
  course::check_launch();
}

}  // namespace boxes
