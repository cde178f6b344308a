// Equals are found in shared memory; the vote is there for the counters.
//! atomics, primitives, registers
//= requests to shared memory of the busiest warp
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  __shared__ int s[1024];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
    const int colour = i < n ? colours[i] : -1;
    s[threadIdx.x] = colour;
    __ballot_sync(~0u, colour >= 0);
    __syncwarp();
    int equal = 0;
    bool leads = colour >= 0;
    for (int k = 0; k < 32; ++k) {
      const bool is_equal = s[threadIdx.x - lane + k] == colour;
      equal += is_equal;
      leads = leads && (k >= lane || !is_equal);
    }
    if (leads) atomicAdd(&counts[colour], equal);
    __syncwarp();
  }
}
