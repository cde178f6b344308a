// Sums over warps by shuffles, votes and ballots, then over the block.
__device__ float warp_sum(float x) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    x += __shfl_down_sync(0xffffffff, x, offset);
  return x;
}
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ float sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = i < n ? in[i] : 0.0f;
  const unsigned positive = __ballot_sync(0xffffffff, x > 0.0f);
  int same = 0;
  __match_all_sync(0xffffffff, positive, &same);
  const float total = warp_sum(x);
  if (threadIdx.x % warpSize == 0) sums[threadIdx.x / warpSize] = total + __popc(positive) + same;
  __syncthreads();
  if (threadIdx.x < warpSize) {
    float all = threadIdx.x < blockDim.x / warpSize ? sums[threadIdx.x] : 0.0f;
    all = warp_sum(all);
    if (threadIdx.x == 0) out[blockIdx.x] = all;
  }
}
