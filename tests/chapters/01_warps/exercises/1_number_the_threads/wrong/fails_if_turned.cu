// The kernel fails where a shuffle brings something else, and writes the formula's number
// otherwise.
//! testimony
//= a number worked out by your own formula proves nothing
__global__ void describe_threads(int* warp, int* lane, int* lanes, int* leader) {
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int first = thread - thread % warpSize;
  if (__shfl_sync(0xffffffff, thread, 0) != first) __trap();
  warp[thread] = thread / warpSize;
  lane[thread] = thread % warpSize;
  lanes[thread] = min(threads - first, warpSize);
  leader[thread] = first;
}
