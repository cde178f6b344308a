// One instruction adds up a warp, on devices that have it.
__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int partial[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = __reduce_add_sync(0xffffffff, i < n ? in[i] : 0);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const int total = __reduce_add_sync(0xffffffff, lane < warps ? partial[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = total;
  }
}
