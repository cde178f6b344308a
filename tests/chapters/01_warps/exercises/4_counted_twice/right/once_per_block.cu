// The warps of a block add up in shared memory first.
__global__ void add_up_rounds(int width, int height, const int* steps, int* rounds) {
  __shared__ int of_block;
  const int thread = threadIdx.x + blockDim.x * threadIdx.y;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (thread == 0) of_block = 0;
  __syncthreads();
  const int mine = x >= width || y >= height ? 0 : steps[x + width * y];
  int most = 0;
  for (int lane = 0; lane < 32; ++lane) most = max(most, __shfl_sync(0xffffffff, mine, lane));
  if (thread % 32 == 0) atomicAdd(&of_block, most);
  __syncthreads();
  if (thread == 0) atomicAdd(rounds, of_block);
}
