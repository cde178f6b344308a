// A lane's rank comes of a scan by shuffles instead of a vote. The counts are read four at a time.
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int4 counts[8];
  __shared__ int first;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  int rank = value < 0;
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(~0u, rank, offset);
    rank += lane >= offset ? other : 0;
  }
  if (threadIdx.x < 32) reinterpret_cast<int*>(counts)[threadIdx.x] = 0;
  __syncthreads();
  if (lane == 31) reinterpret_cast<int*>(counts)[warp] = rank;
  __syncthreads();
  int below = 0, total = 0;
  for (int k = 0; 4 * k < warps; ++k) {
    const int4 four = counts[k];
    const int of_warps[] = {four.x, four.y, four.z, four.w};
    for (int w = 0; w < 4; ++w) {
      if (4 * k + w < warp) below += of_warps[w];
      total += of_warps[w];
    }
  }
  if (threadIdx.x == 0 && total > 0) first = atomicAdd(count, total);
  __syncthreads();
  if (value < 0) out[first + below + rank - 1] = value;
}
