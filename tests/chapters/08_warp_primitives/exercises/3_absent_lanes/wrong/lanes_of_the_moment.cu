// The mask is asked for once, of those lanes that happen to be there.
//! result, masks, sums, loads, shares, shuffles, meetings
//= depend on the order in which threads run
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int partial[32];
  const int thread = threadIdx.x, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + thread;
  int sum = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (thread % 32 == 0) partial[thread / 32] = sum;
  __syncthreads();
  if (thread >= warps) return;
  const unsigned mask = __activemask();
  int total = partial[thread];
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(mask, total, offset);
    if (thread + offset < warps) total += other;
  }
  if (thread == 0) sums[blockIdx.x] = total;
}
