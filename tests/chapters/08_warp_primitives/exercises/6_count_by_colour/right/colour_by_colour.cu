// A vote for each colour, until no lane is left.
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
    const int colour = i < n ? colours[i] : -1;
    unsigned left = __ballot_sync(~0u, colour >= 0);
    while (left != 0) {
      const int leader = __ffs(left) - 1;
      const int wanted = __shfl_sync(~0u, colour, leader);
      const unsigned alike = __ballot_sync(~0u, colour == wanted);
      if (lane == leader) atomicAdd(&counts[wanted], __popc(alike));
      left &= ~alike;
    }
  }
}
