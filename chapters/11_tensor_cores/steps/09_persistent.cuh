#pragma once

#include <algorithm>

#include "08_longer_pieces.cuh"

namespace persistent {

using namespace warpgroup;
using longer_pieces::even_spans, longer_pieces::multiply_piece, producer::Ringed,
    promotion::promote, registers::get_many_registers, registers::keep_few_registers;

/// What a block does that goes from tile to tile.
template <typename S>
__device__ __forceinline__ void multiply_tiles(const Product& product, const CUtensorMap& A,
                                               const CUtensorMap& B) {
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ Barriers<S> barriers;
  set_up(barriers);
  const int tiles_m = (product.m + S::kTileM - 1) / S::kTileM;
  const int tiles_n = (product.n + S::kTileN - 1) / S::kTileN;
  const int spans = even_spans<S>(product.k);
  Ring<S> ring;

  if (threadIdx.x >= S::kMultipliers) {
    keep_few_registers();
    if (threadIdx.x != S::kMultipliers) return;
    for (int t = blockIdx.x; t < tiles_m * tiles_n; t += gridDim.x) {
      const Corner tile = corner_of<S>(t, tiles_m, tiles_n);
      for (int span = 0; span < spans; ++span, ring = ring.next()) {
        wait(&barriers.empty[ring.slot], ring.parity ^ 1);
        request<S>(A, B, tile, span, stages + ring.slot * S::kStageBytes,
                   &barriers.full[ring.slot]);
      }
    }
    return;
  }

  get_many_registers();
  for (int t = blockIdx.x; t < tiles_m * tiles_n; t += gridDim.x) {
    float sum[S::kSums] = {};
    for (int span = 0; span < spans; span += 2) {
      float part[S::kSums];
      multiply_piece<S>(part, stages, barriers, ring);
      promote(sum, part);
    }
    store_sums<S>(product, corner_of<S>(t, tiles_m, tiles_n), sum);
  }
}

/// The same with a block for each multiprocessor; the next tile is loaded while one is stored.
/// @expect  tensor_operations = 3 * 2 * m * n * k
/// @expect  bulk_copies = 2 * m * n * k / (128 * kTileN * 32)
/// @pre     as registers::sgemm, with any number of blocks
template <typename S>
__global__ void __launch_bounds__(S::kThreads, 1)
    sgemm(const Product product,
          const __grid_constant__ CUtensorMap A,    // [m, spans]
          const __grid_constant__ CUtensorMap B) {  // [n, spans]
  multiply_tiles<S>(product, A, B);
}

/// Launches a block for each multiprocessor that gets a tile.
template <typename S, typename... Parameters, typename... Others>
void launch_blocks(void (*kernel)(Parameters...), const Sgemm& s, const split::Parts& parts,
                   cudaStream_t stream, const Others&... others) {
  launch_product<S>(kernel, std::min(s.multiprocessors, tile_count<S>(s)), S::kThreads, s, parts,
                    stream, others...);
}

inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  const split::Parts parts = split::parts_of(s);
  split::launch(s, parts, stream);
  launch_blocks<Ringed>(sgemm<Ringed>, s, parts, stream);
}

}  // namespace persistent
