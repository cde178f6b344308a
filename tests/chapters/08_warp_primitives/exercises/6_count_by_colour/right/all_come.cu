// Nobody stays away: transparent pixels and lanes beyond n have a colour of their own. The highest
// lane leads, and warps go through the picture in pieces.
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x >> 5;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const int pieces = (n + 31) / 32, rounds = (pieces + warps - 1) / warps;
  for (int round = 0; round < rounds; ++round) {
    const int i = 32 * (warp * rounds + round) + lane;
    if (i - lane >= n) return;
    const int colour = i < n ? __ldg(colours + i) : -1;
    const unsigned alike = __match_any_sync(0xffffffff, colour);
    if (colour >= 0 && alike >> lane == 1) atomicAdd(counts + colour, __popc(alike));
  }
}
