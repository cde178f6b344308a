// The highest lane leads, and places are counted from the end.
__global__ void list_black(int n, int most, const int* steps, int* count, int* list) {
  const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned black = __ballot_sync(0xffffffff, i < n ? steps[i] == most : false);
  if ((black >> lane & 1) == 0) return;
  const int leader = 31 - __clz(black);
  int end = 0;
  if (lane == leader) end = atomicAdd(count, __popc(black)) + __popc(black);
  end = __shfl_sync(black, end, leader);
  list[end - __popc(black >> lane)] = i;
}
