// The block votes on one bit after the other. Nothing is added up by shuffles.
//! banks, shuffles
//= This counts only together with "shuffles", which is not met.
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int unused[32];
  const int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  const int value = __shfl_sync(~0u, (i < n ? in[i] : 0) + 1000, thread % 32);
  unused[thread % 32] = 0;
  int sum = 0;
  for (int bit = 0; bit < 11; ++bit) sum += __syncthreads_count(value >> bit & 1) << bit;
  const int zero = thread < 32 ? unused[thread] : 0;
  if (thread == 0) sums[blockIdx.x] = sum + zero - 1000 * static_cast<int>(blockDim.x);
}
