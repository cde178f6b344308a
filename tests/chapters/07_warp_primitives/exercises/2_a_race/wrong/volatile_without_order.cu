// No barrier; what is read and written is volatile: no data race, and no order either.
//! race, barriers
//= of the result depend on the order in which threads run
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ volatile int partial[32];
  const int thread = threadIdx.x, lane = thread % 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + thread;
  int sum = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) partial[thread / 32] = sum;
  __syncwarp();
  if (thread / 32 == warps - 1) {
    int total = lane < warps ? partial[lane] : 0;
    for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(~0u, total, offset);
    if (lane == 0) sums[blockIdx.x] = total;
  }
  __syncthreads();
}
