// Lane 0 leads after all, outside the branch, where it is always there.
__global__ void list_black(int n, int most, const int* steps, int* count, int* list) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_black = i < n && steps[i] == most;
  const unsigned black = __ballot_sync(~0u, is_black);
  int first = 0;
  if (lane == 0 && black != 0) first = atomicAdd(count, __popc(black));
  first = __shfl_sync(~0u, first, 0);
  if (is_black) list[first + __popc(black & ((1u << lane) - 1))] = i;
}
