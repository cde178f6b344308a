// Lanes look through their warp's flags in shared memory. Nobody looks at what the vote brings.
//! order, atomics, vote, meetings, scan, banks
//= the places are the same where votes and shuffles bring other lanes' values
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ unsigned of_lanes[32][8];  // a byte a lane
  __shared__ int of_warps[32];
  __shared__ int first;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  (void)__any_sync(~0u, value < 0);

  reinterpret_cast<unsigned char*>(of_lanes[warp])[lane] = value < 0;
  __syncwarp();
  int of_warp = 0, below_in_warp = 0;
  for (int word = 0; word < 8; ++word) {
    const unsigned four = of_lanes[warp][word];
    const unsigned below = word < lane / 4 ? ~0u : word == lane / 4 ? (1u << lane % 4 * 8) - 1 : 0u;
    of_warp += __popc(four);
    below_in_warp += __popc(four & below);
  }
  if (lane == 0) of_warps[warp] = of_warp;
  __syncthreads();
  int of_block = 0, below = 0;
  for (int w = 0; w < warps; ++w) {
    if (w < warp) below += of_warps[w];
    of_block += of_warps[w];
  }
  if (threadIdx.x == 0 && of_block > 0) first = atomicAdd(count, of_block);
  __syncthreads();
  if (value < 0) out[first + below + below_in_warp] = value;
}
