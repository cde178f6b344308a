// Only neighbours count together: a colour that comes twice is added twice.
//! atomics
//= atomic additions to counts
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
    const int colour = i < n ? colours[i] : -1;
    const int left = __shfl_up_sync(~0u, colour, 1);
    const bool begins = lane == 0 || left != colour;
    const unsigned heads = __ballot_sync(~0u, begins);
    if (!begins || colour < 0) continue;
    const unsigned later = lane == 31 ? 0 : heads >> (lane + 1);
    atomicAdd(&counts[colour], later == 0 ? 32 - lane : __ffs(later));
  }
}
