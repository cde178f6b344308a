// No warp primitive: a scan of 1024 flags in shared memory, with two barriers for each step.
//! order, atomics, vote, meetings, scan, banks
//= shuffles, votes, matches and reductions
__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int flags[1024];
  __shared__ int first;
  const int thread = threadIdx.x, threads = blockDim.x;
  const int i = blockIdx.x * threads + thread;
  const int value = i < n ? in[i] : 0;
  int up_to_me = value < 0;
  flags[thread] = up_to_me;
  __syncthreads();
  for (int offset = 1; offset < threads; offset *= 2) {
    const int below = thread >= offset ? flags[thread - offset] : 0;
    __syncthreads();
    up_to_me += below;
    flags[thread] = up_to_me;
    __syncthreads();
  }
  if (thread == threads - 1 && up_to_me > 0) first = atomicAdd(count, up_to_me);
  __syncthreads();
  if (value < 0) out[first + up_to_me - 1] = value;
}
