// The mask names whoever happens to be there, of any round: the counts are right, and how often a
// warp adds is left to luck.
//= atomic additions to counts
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const int colour = colours[i];
    if (colour < 0) continue;
    const unsigned alike = __match_any_sync(__activemask(), colour);
    if (lane == __ffs(alike) - 1) atomicAdd(&counts[colour], __popc(alike));
  }
}
