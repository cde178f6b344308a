// The warps of a block ask the counter in turn. If other blocks asked between, that would not do:
// each block waits until those before it are done, by taking the counter as a lock.
//! atomics, meetings, scan, banks
//= Every warp asks the counter by itself.
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const unsigned kept = __ballot_sync(~0u, value < 0);
  int first = 0;
  for (int turn = 0; turn < warps; ++turn) {
    if (warp == turn && lane == 0 && kept != 0) first = atomicAdd(count, __popc(kept));
    __syncthreads();
  }
  first = __shfl_sync(~0u, first, 0);
  if (value < 0) out[first + __popc(kept & ((1u << lane) - 1))] = value;
}
