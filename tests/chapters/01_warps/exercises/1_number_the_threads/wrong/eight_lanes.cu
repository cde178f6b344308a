// Eight lanes write for the whole block, a sector at a time.
//! all warps, testimony
//= requests of the busiest warp
__global__ void describe_threads(int* warp, int* lane, int* lanes, int* leader) {
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (thread >= 8) return;
  for (int i = thread; i < threads; i += 8) {
    warp[i] = i / warpSize;
    lane[i] = i % warpSize;
    lanes[i] = min(threads - i / warpSize * warpSize, warpSize);
    leader[i] = i / warpSize * warpSize;
  }
}
