// Tickets as an article published them, one character kept, the rest rewritten: the minus sign of
// the second line below is a typographic dash.
// refused: error
// mended: – -> -

__global__ void tickets(const int* keys, int* counters, int* tickets) {
  const unsigned equal_lanes = __match_any_sync(0xffffffff, keys[threadIdx.x]);
  const int leader = __ffs(equal_lanes) – 1;
  tickets[threadIdx.x] = leader;
  if (int(threadIdx.x) == leader) atomicAdd(&counters[keys[threadIdx.x]], __popc(equal_lanes));
}
