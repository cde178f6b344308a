// One thread adds up what all threads of the block have written down, and a 32nd of it is right.
//! all warps
//= requests of the busiest warp
__global__ void add_up_rounds(int width, int height, const int* steps, int* rounds) {
  __shared__ int all[1024];
  const int threads = blockDim.x * blockDim.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  int most = col < width && row < height ? steps[row * width + col] : 0;
  for (int apart = 16; apart > 0; apart /= 2)
    most = max(most, __shfl_xor_sync(0xffffffff, most, apart));
  all[threadIdx.x * blockDim.y + threadIdx.y] = most;
  __syncthreads();
  if (threadIdx.x + threadIdx.y > 0) return;
  int sum = 0;
  for (int k = 0; k < threads; ++k) sum += all[k];
  atomicAdd(rounds, sum / 32);
}
