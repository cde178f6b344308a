// Nobody leaves: transparent pixels and lanes beyond n have a colour of their own. The highest lane
// leads.
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  const int colour = i < n ? __ldg(colours + i) : -1;
  const unsigned alike = __match_any_sync(0xffffffff, colour);
  if (colour >= 0 && alike >> lane == 1) atomicAdd(counts + colour, __popc(alike));
}
