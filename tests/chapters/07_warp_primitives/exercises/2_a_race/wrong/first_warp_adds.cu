// The first warp does it all, so that nobody has to wait. A barrier stands at the end.
//! race, barriers, sums, shares, shuffles
//= requests to global memory of the busiest warp
__global__ void block_sums(int n, const int* in, int* sums) {
  const int thread = threadIdx.x, first = blockIdx.x * blockDim.x;
  if (thread < 32) {
    int sum = 0;
    for (int j = thread; j < static_cast<int>(blockDim.x); j += 32)
      sum += first + j < n ? in[first + j] : 0;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (thread == 0) sums[blockIdx.x] = sum;
  }
  __syncthreads();
}
