// The first warp scans the counts where they lie. Its lanes wait for each other at every step.
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int counts[32];
  __shared__ int first;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 1;
  const unsigned kept = __ballot_sync(0xffffffff, value < 0);
  if (lane == 0) counts[warp] = __popc(kept);
  __syncthreads();
  if (warp == 0) {
    for (int offset = 1; offset < warps; offset *= 2) {
      const int below = lane >= offset && lane < warps ? counts[lane - offset] : 0;
      __syncwarp();
      if (lane < warps) counts[lane] += below;
      __syncwarp();
    }
    if (lane == 0 && counts[warps - 1] > 0) first = atomicAdd(count, counts[warps - 1]);
  }
  __syncthreads();
  if (value >= 0) return;
  const int of_warps_below = warp > 0 ? counts[warp - 1] : 0;
  out[first + of_warps_below + __popc(kept & ((1u << lane) - 1))] = value;
}
