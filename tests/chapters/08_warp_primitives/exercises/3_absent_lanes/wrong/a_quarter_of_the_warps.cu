// Where a block is whole, every fourth warp loads 16 bytes a lane, and the others nothing.
//! masks, sums, shares
//= requests to global memory of the busiest warp, for all of its share
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int partial[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int begin = blockIdx.x * blockDim.x, i = begin + threadIdx.x;
  int sum = 0;
  if (begin + static_cast<int>(blockDim.x) > n || warps % 4 != 0) {
    sum = i < n ? in[i] : 0;
  } else if (warp % 4 == 0) {
    const int4 four = reinterpret_cast<const int4*>(in + begin + 32 * warp)[lane];
    sum = four.x + four.y + four.z + four.w;
  }
  for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  sum = lane < warps ? partial[lane] : 0;
  for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
  if (lane == 0) sums[blockIdx.x] = sum;
}
