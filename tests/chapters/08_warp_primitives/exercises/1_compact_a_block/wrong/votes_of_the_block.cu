// The block votes once for each warp: nothing is added up.
//! meetings, scan, banks
//= barriers per warp
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int first;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const unsigned kept = __ballot_sync(~0u, value < 0);
  int below = 0, total = 0;
  for (int w = 0; w < warps; ++w) {
    const int of_warp = __syncthreads_count(warp == w && value < 0);
    if (w < warp) below += of_warp;
    total += of_warp;
  }
  if (threadIdx.x == 0 && total > 0) first = atomicAdd(count, total);
  __syncthreads();
  if (value < 0) out[first + below + __popc(kept & ((1u << lane) - 1))] = value;
}
