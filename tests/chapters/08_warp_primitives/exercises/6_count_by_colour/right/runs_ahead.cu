// Lanes whose pixel is transparent go ahead, and wait for the others at the next vote.
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
    const int colour = i < n ? colours[i] : -1;
    const unsigned painted = __ballot_sync(~0u, colour >= 0);
    if (colour < 0) continue;
    const unsigned alike = __match_any_sync(painted, colour);
    const int leader = __shfl_sync(alike, lane, 31 - __clz(static_cast<int>(alike)));
    if (lane == leader) atomicAdd(&counts[colour], __popc(alike));
  }
}
