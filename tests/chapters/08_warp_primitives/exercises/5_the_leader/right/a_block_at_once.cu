// A whole block takes its places with one atomic operation.
__global__ void list_black(int n, int most, const int* steps, int* count, int* list) {
  __shared__ int places[33];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_black = i < n && steps[i] == most;
  const unsigned black = __ballot_sync(0xffffffff, is_black);
  if (lane == 0) places[warp] = __popc(black);
  __syncthreads();

  if (threadIdx.x == 0) {
    int total = 0;
    for (int w = 0; w < warps; ++w) {
      const int mine = places[w];
      places[w] = total;
      total += mine;
    }
    places[32] = total == 0 ? 0 : atomicAdd(count, total);
  }
  __syncthreads();

  if (is_black) list[places[32] + places[warp] + __popc(black & ((1u << lane) - 1))] = i;
}
