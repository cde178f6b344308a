// The places are those of the lanes that happen to be there: the list is right, and how often a
// warp asks is left to luck.
//! tickets
//= atomic operations on count
__global__ void list_black(int n, int most, const int* steps, int* count, int* list) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || steps[i] != most) return;
  const unsigned here = __activemask();
  const int leader = __ffs(here) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(count, __popc(here));
  list[__shfl_sync(here, first, leader) + __popc(here & ((1u << lane) - 1))] = i;
}
