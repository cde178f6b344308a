// A vote in each round keeps the warp together; but who has a colour to match is left to luck.
//! atomics
//= atomic additions to counts
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
    const int colour = i < n ? colours[i] : -1;
    __any_sync(0xffffffff, colour >= 0);
    if (colour < 0) continue;
    const unsigned alike = __match_any_sync(__activemask(), colour);
    if (lane == __ffs(alike) - 1) atomicAdd(&counts[colour], __popc(alike));
  }
}
