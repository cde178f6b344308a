#pragma once

#include "21_promoted_sums.cuh"

namespace block_scales {

using namespace eight_bits;

/// The scales that a thread has for a panel: of its two rows in each part, and one of B's.
template <typename S>
struct Scales {
  float a[S::kParts][2];
  float b;  ///< of the columns of box `lane % kBoxes`
};

/// Reads a thread's scales, panel by panel. Outside the matrices, it takes those of the edge:
/// whatever comes of them is not stored.
///
/// Each lane reads one of B's scales, and they are shuffled. If all lanes read all of them, nvcc
/// would see that a warp has the same ones, and keep them in uniform registers. An R2UR moves them
/// there. It waits for the load, and it stands in front of the panel's products.
template <typename S>
class ScaleReader {
 public:
  __device__ ScaleReader(const EightBitGemm& g, const Corner& tile, int group)
      : next_a_(g.scale_a), next_b_(g.scale_b), step_a_(g.m) {
    constexpr int kWarpRows = 16, kApart = 8, kLanesOfRow = 4;
    const int warp = threadIdx.x / kWarpSize % 4, lane = threadIdx.x % kWarpSize;
    const int blocks = (g.k + kScaledBlock - 1) / kScaledBlock;
#pragma unroll
    for (int i = 0; i < 2 * S::kParts; ++i)
      row_[i] = min(tile.row + (group * S::kParts + i / 2) * kGroupRows + warp * kWarpRows +
                        i % 2 * kApart + lane / kLanesOfRow,
                    g.m - 1);
    at_b_ = min(tile.col + lane % S::kBoxes * kBoxCols, g.n - 1) / kScaledBlock * blocks;
  }

  __device__ Scales<S> read() {
    Scales<S> scales;
#pragma unroll
    for (int i = 0; i < 2 * S::kParts; ++i) scales.a[i / 2][i % 2] = next_a_[row_[i]];
    scales.b = next_b_[at_b_];
    next_a_ += step_a_;
    ++next_b_;
    return scales;
  }

 private:
  const float *next_a_, *next_b_;
  int step_a_, row_[2 * S::kParts], at_b_;
};

/// Adds what the tensor core has summed up, times the scales of the block.
template <typename S>
__device__ inline void promote_scaled(float (&sum)[S::kSums], const float (&product)[S::kSums],
                                      const Scales<S>& scales, int part) {
  constexpr int kBoxSums = S::kSums / S::kBoxes;
#pragma unroll
  for (int box = 0; box < S::kBoxes; ++box) {
    const float scale_b = __shfl_sync(~0u, scales.b, box);
#pragma unroll
    for (int i = box * kBoxSums; i < (box + 1) * kBoxSums; ++i)
      sum[i] = fmaf(product[i], scales.a[part][i / 2 % 2] * scale_b, sum[i]);
  }
}

/// The same with a scale for 128 k of a row of A, and one for 128 k of 128 columns of C: the
/// addition that promotes becomes a multiplication and an addition, in one instruction.
/// @expect  tensor_operations = 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (kTileM * kTileN * 128)
/// @expect  bulk_stores = m * n / (64 * 64)
/// @pre     as short_sums::gemm
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    gemm(const EightBitGemm g,
         const __grid_constant__ CUtensorMap A,    // [m, k]
         const __grid_constant__ CUtensorMap B,    // [n, k]
         const __grid_constant__ CUtensorMap C) {  // [m, n]
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  if (threadIdx.x >= S::kMultipliers) {
    request_tiles<S>(g, A, B, stages, barriers);
    return;
  }
  get_many_registers();
  const int group = own_group();
  const Operands<S> operands(stages, group);
  unsigned char* const results = stages + S::kResultsAt + group * S::kResultBytes;
  Ring<S> ring;
  for_own_tiles<S>(g, [&](const Corner& tile) {
    float sum[S::kParts][S::kSums] = {};
    ScaleReader<S> reader(g, tile, group);
    Scales<S> next{};
    if (g.k > 0) next = reader.read();
    for (int k = 0; k < g.k; k += kPanel, ring = ring.next()) {
      wait(&barriers.full[ring.slot], ring.parity);
      const Scales<S> scales = next;
      if (k + kPanel < g.k) next = reader.read();  // a panel ahead
#pragma unroll
      for (int part = 0; part < S::kParts; ++part) {
        float product[S::kSums];
        multiply_panel<S>(product, operands, ring.slot, part, false);
        tensor::wgmma_wait<0>(product);
        if (part + 1 == S::kParts) release(barriers, ring.slot);
        promote_scaled<S>(sum[part], product, scales, part);
      }
    }
#pragma unroll
    for (int part = 0; part < S::kParts; ++part)
      store_part<S>(C, tile, group, part, sum[part], 1.0f, results);
  });
  wait_for_stores();
}

inline void launch(const EightBitGemm& g, cudaStream_t stream) {
  if (g.m == 0 || g.n == 0) return;
  using promoted_sums::Tall, promoted_sums::Broad, promoted_sums::Middle, promoted_sums::Narrow;
  promoted_sums::launch_cheapest<Tall, Broad, Middle, Narrow>(
      g, [&]<typename S>(S) { launch_blocks<S>(gemm<S>, g, stream); });
}

}  // namespace block_scales
