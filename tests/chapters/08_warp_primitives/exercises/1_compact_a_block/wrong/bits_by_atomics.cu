// Each lane that keeps something sets its bit by an atomic operation. The vote is there for the
// counters.
//! order, atomics, vote, meetings, scan, banks
//= shuffles, votes, matches and reductions
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ unsigned bits[32];
  __shared__ int before[32], first;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  (void)__any_sync(0xffffffff, value < 0);

  if (lane == 0) bits[warp] = 0;
  __syncthreads();
  if (value < 0) atomicOr(&bits[warp], 1u << lane);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int w = 0; w < warps; ++w) {
      before[w] = sum;
      sum += __popc(bits[w]);
    }
    first = sum > 0 ? atomicAdd(count, sum) : 0;
  }
  __syncthreads();
  if (value < 0) out[first + before[warp] + __popc(bits[warp] & ((1u << lane) - 1))] = value;
}
