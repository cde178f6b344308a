// One thread adds up what all have left in shared memory.
//! race, barriers, sums, shuffles
//= wavefronts per block
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int values[1024];
  const int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  values[thread] = i < n ? in[i] : 0;
  __shfl_sync(~0u, thread, 0);
  __syncthreads();
  if (thread != 0) return;
  int sum = 0;
  for (int j = 0; j < static_cast<int>(blockDim.x); ++j) sum += values[j];
  sums[blockIdx.x] = sum;
}
