// The mask names those that come. What a lane reads from one that does not, it throws away.
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int partial[32];
  const int thread = threadIdx.x, warps = blockDim.x / warpSize;
  const int i = blockIdx.x * blockDim.x + thread;
  int sum = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (thread % warpSize == 0) partial[thread / warpSize] = sum;
  __syncthreads();

  const unsigned mask = __ballot_sync(0xffffffff, thread < warps);
  if (thread >= warps) return;
  int total = partial[thread];
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(mask, total, offset);
    if (thread + offset < warps) total += other;
  }
  if (thread == 0) sums[blockIdx.x] = total;
}
