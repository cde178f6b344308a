// Barriers add up: each counts one bit of all values of the block. Shuffles and shared memory are
// there for show.
//! masks, sums, meetings, shuffles
//= barriers per warp
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ volatile int seen[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int above = (i < n ? in[i] : 0) + 2048;
  for (int k = 0; k < 10; ++k) (void)__shfl_down_sync(~0u, above, 1);
  if (threadIdx.x < 32) {
    seen[threadIdx.x] = above;
    (void)seen[threadIdx.x];
  }
  int sum = 0;
  for (int bit = 0; bit < 12; ++bit) sum += __syncthreads_count(above >> bit & 1) << bit;
  if (threadIdx.x == 0) sums[blockIdx.x] = sum - 2048 * static_cast<int>(blockDim.x);
}
