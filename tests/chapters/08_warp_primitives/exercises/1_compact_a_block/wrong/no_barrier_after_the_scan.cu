// The other warps do not wait for the scan of the first.
//! result, order, atomics, vote, meetings, scan, banks, shares
//= out
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int places[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const unsigned kept = __ballot_sync(~0u, value < 0);
  if (lane == 0) places[warp] = __popc(kept);
  __syncthreads();
  if (warp == warps - 1) {
    const int mine = lane < warps ? places[lane] : 0;
    int sum = mine, first = 0;
    for (int offset = 1; offset < 32; offset *= 2) {
      const int below = __shfl_up_sync(~0u, sum, offset);
      if (lane >= offset) sum += below;
    }
    if (lane == 31 && sum > 0) first = atomicAdd(count, sum);
    first = __shfl_sync(~0u, first, 31);
    if (lane < warps) places[lane] = first + sum - mine;
    __syncwarp();
  }
  if (value < 0) out[places[warp] + __popc(kept & ((1u << lane) - 1))] = value;
}
