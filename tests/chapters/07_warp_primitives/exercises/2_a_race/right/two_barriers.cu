// Exchanges instead of shifts, and a barrier that also asks a question.
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int partial[32];
  const int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
  const int warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + thread;
  if (lane == 0) partial[warp] = 0;
  if (__syncthreads_or(i < n) == 0) return;
  int sum = i < n ? in[i] : 0;
  for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
  if (lane == 31) partial[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  sum = lane < warps ? partial[lane] : 0;
  for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(~0u, sum, bit);
  if (lane == 0) sums[blockIdx.x] = sum;
}
