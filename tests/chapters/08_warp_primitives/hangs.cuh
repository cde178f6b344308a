#pragma once

// Kernels that never end. The emulator reports them; do not run them on a GPU.

/// Breaks rule 1: the mask names 32 lanes, but half of them wait at another call.
/// @pre  one block of 32 threads
__global__ void mask_of_everybody(int* out) {  // [32]
  const int lane = threadIdx.x;
  int value = lane;
  if (lane < warpSize / 2) value += __shfl_xor_sync(0xffffffff, value, 1);
  __syncthreads();
  out[lane] = value;
}

/// Breaks rule 2: a function cannot know which lanes call it, and guesses that all do.
__device__ int ticket(int* counter) {
  const unsigned here = 0xffffffff;  // a guess; __activemask() would ask
  const int lane = threadIdx.x % warpSize;
  int first = 0;
  if (lane == 0) first = atomicAdd(counter, __popc(here));
  first = __shfl_sync(here, first, 0);
  return first + __popc(here & ((1u << lane) - 1));
}

/// Only even lanes draw a ticket.
/// @pre  one block of 32 threads
__global__ void mask_by_guess(int* counter, int* out) {  // [1], [32]
  const int lane = threadIdx.x;
  out[lane] = -1;
  if (lane % 2 == 0) out[lane] = ticket(counter);
  __syncthreads();
}
