// The first warp writes for all of them, and shuffles often enough.
//! all warps, testimony
//= requests of the busiest warp
__global__ void describe_threads(int* warp, int* lane, int* lanes, int* leader) {
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int mine = __shfl_sync(0xffffffff, thread, threadIdx.x % warpSize);
  if (thread >= warpSize) return;
  for (int i = thread; i < threads; i += warpSize) {
    warp[i] = i / warpSize;
    lane[i] = i % warpSize;
    lanes[i] = min(threads - i / warpSize * warpSize, warpSize);
    leader[i] = i / warpSize * warpSize + 0 * mine;
  }
}
