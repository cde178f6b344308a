// Layers, rows and columns one after the other; the last warp looks at what is left.
__global__ void describe_threads(int* warp, int* lane, int* lanes, int* leader) {
  int thread = threadIdx.z;
  thread = thread * blockDim.y + threadIdx.y;
  thread = thread * blockDim.x + threadIdx.x;
  const int all = blockDim.z * blockDim.y * blockDim.x, whole = all & ~31;
  warp[thread] = thread >> 5;
  lane[thread] = thread & 31;
  lanes[thread] = thread < whole ? 32 : all - whole;
  leader[thread] = __shfl_sync(0xffffffff, thread, 0);
}
