// The last warp adds up the warps' sums, in as many steps as there are warps to halve. A warp
// without elements adds up nothing.
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int partial[32];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + thread;
  int sum = 0;
  if (i - lane < n) {
    sum = i < n ? __ldg(in + i) : 0;
    for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(0xffffffff, sum, bit);
  }
  if (lane == 31) partial[warp] = sum;
  __syncthreads();
  if (warp != warps - 1) return;
  sum = lane < warps ? partial[lane] : 0;
  int width = 1;
  while (width < warps) width *= 2;
  for (int offset = width / 2; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) sums[blockIdx.x] = sum;
}
