// Each warp takes its places in the block by an atomic operation: whoever comes first, is first.
//! order, atomics, scan, banks, vote, meetings, shares
//= depend on the order in which threads run
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int total, first;
  const int t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
  const int v = i < n ? in[i] : 0;
  if (t == 0) total = 0;
  __syncthreads();
  const unsigned kept = __ballot_sync(~0u, v < 0);
  int mine = 0;
  if (lane == 0) mine = atomicAdd(&total, __popc(kept));
  mine = __shfl_sync(~0u, mine, 0);
  __syncthreads();
  if (t == 0 && total > 0) first = atomicAdd(count, total);
  __syncthreads();
  if (v < 0) out[first + mine + __popc(kept & ((1u << lane) - 1))] = v;
}
