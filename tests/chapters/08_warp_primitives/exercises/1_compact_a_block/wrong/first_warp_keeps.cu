// All warps load and vote, and one of them does the rest.
//! order, atomics, vote, meetings, scan, banks, shares
//= This waits for "shares": it counts only together with that.
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int buf[1024];
  __shared__ int first;
  const int t = threadIdx.x, lane = t % 32, i0 = blockIdx.x * blockDim.x;
  const int v = i0 + t < n ? in[i0 + t] : 0;
  buf[t] = v;
  __ballot_sync(~0u, v < 0);
  __syncthreads();
  if (t >= 32) return;
  int total = 0;
  for (int k = 0; k < (int)blockDim.x; k += 32)
    total += __popc(__ballot_sync(~0u, buf[k + lane] < 0));
  if (lane == 0 && total > 0) first = atomicAdd(count, total);
  __syncwarp();
  int place = total > 0 ? first : 0;
  for (int k = 0; k < (int)blockDim.x; k += 32) {
    const int x = buf[k + lane];
    const unsigned kept = __ballot_sync(~0u, x < 0);
    if (x < 0) out[place + __popc(kept & ((1u << lane) - 1))] = x;
    place += __popc(kept);
  }
}
