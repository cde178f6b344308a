// Each lane asks all the others for their colour, one after the other.
//! atomics, primitives
//= shuffles, votes, matches and reductions
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
    const int colour = i < n ? colours[i] : -1;
    unsigned alike = 0;
    for (int other = 0; other < 32; ++other)
      if (__shfl_sync(~0u, colour, other) == colour) alike |= 1u << other;
    if (colour >= 0 && lane == __ffs(alike) - 1) atomicAdd(&counts[colour], __popc(alike));
  }
}
