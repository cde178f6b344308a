// The least colour that is left comes next: all lanes of it leave together.
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  constexpr unsigned kNone = 0xffffffff;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned colour = i < n ? static_cast<unsigned>(colours[i]) : kNone;
  while (true) {
    const unsigned least = __reduce_min_sync(~0u, colour);
    if (least == kNone) return;
    const unsigned alike = __ballot_sync(~0u, colour == least);
    if (colour != least) continue;
    if (threadIdx.x % 32 == 31 - __clz(alike)) atomicAdd(&counts[least], __popc(alike));
    colour = kNone;
  }
}
