// Each warp adds up the counts of the warps below it, and a block without elements leaves at once.
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int counts[32];
  __shared__ int first;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const bool is_kept = value < 0;
  const int total = __syncthreads_count(is_kept);
  if (total == 0) return;
  if (threadIdx.x == 0) first = atomicAdd(count, total);
  const unsigned kept = __ballot_sync(~0u, is_kept);
  if (lane == 31) counts[warp] = __popc(kept);
  __syncthreads();
  const int below = __reduce_add_sync(~0u, lane < warp && lane < warps ? counts[lane] : 0);
  if (is_kept) out[first + below + __popc(kept & ~(~0u << lane))] = value;
}
