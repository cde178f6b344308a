// Every warp takes its places by itself, as in the lesson: a block's elements need not be together.
//! result, order, atomics, vote, meetings, scan, banks, shares
//= has its elements elsewhere, or not in their order.
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const unsigned kept = __ballot_sync(~0u, value < 0);
  int first = 0;
  if (lane == 0 && kept != 0 && threadIdx.x >= 32) first = atomicAdd(count, __popc(kept));
  __syncthreads();
  if (lane == 0 && kept != 0 && threadIdx.x < 32) first = atomicAdd(count, __popc(kept));
  first = __shfl_sync(~0u, first, 0);
  if (value < 0) out[first + __popc(kept & ((1u << lane) - 1))] = value;
}
