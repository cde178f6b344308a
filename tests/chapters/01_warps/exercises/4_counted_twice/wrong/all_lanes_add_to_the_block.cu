// All 32 lanes add to the sum of the block, and a 32nd of it is right.
//! one addition
//= additions per warp
__global__ void add_up_rounds(int width, int height, const int* steps, int* rounds) {
  __shared__ int of_block;
  const bool is_first = threadIdx.x + threadIdx.y == 0;
  if (is_first) of_block = 0;
  __syncthreads();
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  int most = col < width && row < height ? steps[row * width + col] : 0;
  for (int apart = 16; apart > 0; apart /= 2)
    most = max(most, __shfl_xor_sync(0xffffffff, most, apart));
  atomicAdd(&of_block, most);
  __syncthreads();
  if (is_first) atomicAdd(rounds, of_block / 32);
}
