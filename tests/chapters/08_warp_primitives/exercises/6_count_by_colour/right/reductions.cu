// The least colour that is left comes next: its lanes count together, and then have none.
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  constexpr unsigned kNone = 0xffffffff;
  const int lane = threadIdx.x % 32, step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
    unsigned colour = i < n ? static_cast<unsigned>(colours[i]) : kNone;
    for (unsigned least = 0; (least = __reduce_min_sync(~0u, colour)) != kNone;) {
      const unsigned alike = __ballot_sync(~0u, colour == least);
      if (colour != least) continue;
      if (lane == 31 - __clz(static_cast<int>(alike))) atomicAdd(&counts[least], __popc(alike));
      colour = kNone;
    }
  }
}
