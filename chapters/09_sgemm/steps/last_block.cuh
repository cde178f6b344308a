#pragma once

/// @file
/// How blocks find out which of them is the last one.

#include <cuda_runtime.h>

namespace last_block {

constexpr int kMostBlocks = 2048;  ///< that share tiles of C: no device runs so many at a time

/// Whether this block is the last of `blocks` to come here; then it sees what they all have
/// written. Leaves `arrived` at zero.
__device__ inline bool arrives_last(unsigned* arrived, int blocks) {
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(arrived, 1u) == static_cast<unsigned>(blocks - 1);
    if (is_last) *arrived = 0;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

}  // namespace last_block
