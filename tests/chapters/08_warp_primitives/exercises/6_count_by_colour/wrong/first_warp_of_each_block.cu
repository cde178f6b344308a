// One warp counts for all of its block, 32 pixels after the other.
//! atomics, primitives, shares
//= requests to global memory of the busiest warp
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x, step = gridDim.x * 32;
  if (lane >= 32) return;
  for (int i = blockIdx.x * 32 + lane; i - lane < n; i += step) {
    const int colour = i < n ? colours[i] : -1;
    const unsigned alike = __match_any_sync(~0u, colour);
    if (colour >= 0 && lane == __ffs(alike) - 1) atomicAdd(&counts[colour], __popc(alike));
  }
}
