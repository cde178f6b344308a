// The first warp does everything, by shuffles, and the others only come to the barrier.
//! race, fetches, all warps, barriers
//= requests to global memory of the busiest warp
__global__ void count_smaller(int n, int m, const float* x, const float* list, int* counts) {
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i - threadIdx.x < min(n, first - int(threadIdx.x) + 128); i += 32) {
    const float mine = i < n ? x[i] : 0.0f;
    int smaller = 0;
    for (int begin = 0; begin < m; begin += 32) {
      const int k = begin + threadIdx.x;
      const float one = k < m ? list[k] : INFINITY;
      for (int lane = 0; lane < 32; ++lane) smaller += __shfl_sync(0xffffffff, one, lane) < mine;
    }
    if (i < n) counts[i] = smaller;
  }
}
