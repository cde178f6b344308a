// A block looks for equals in shared memory. That is less work for the counters, and no warp
// primitive.
//! atomics, primitives, registers
//= shuffles, votes, matches and reductions
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  __shared__ int block[1024];
  const int thread = threadIdx.x, threads = blockDim.x;
  for (int begin = blockIdx.x * threads; begin < n; begin += gridDim.x * threads) {
    const int colour = begin + thread < n ? colours[begin + thread] : -1;
    __syncthreads();
    block[thread] = colour;
    __syncthreads();
    int equal = 0;
    bool leads = colour >= 0;
    for (int k = 0; k < threads; ++k) {
      equal += block[k] == colour;
      leads = leads && (k >= thread || block[k] != colour);
    }
    if (leads) atomicAdd(&counts[colour], equal);
  }
}
