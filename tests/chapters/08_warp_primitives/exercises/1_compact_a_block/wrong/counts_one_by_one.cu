// Thread 0 adds up the warps' counts, one after the other.
//! scan
//= requests to shared memory of the busiest warp
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int places[32];
  __shared__ int first;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const unsigned kept = __ballot_sync(~0u, value < 0);
  if (lane == 0) places[warp] = __popc(kept);
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int w = 0; w < warps; ++w) {
      const int mine = places[w];
      places[w] = total;
      total += mine;
    }
    first = total == 0 ? 0 : atomicAdd(count, total);
  }
  __syncthreads();
  if (value < 0) out[first + places[warp] + __popc(kept & ((1u << lane) - 1))] = value;
}
