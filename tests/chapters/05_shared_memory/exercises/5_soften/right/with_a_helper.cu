// The halo's columns come from global memory once, its rows with the loop; early leaving is below
// the barrier.
__device__ int at(const int* in, int width, int height, int row, int col) {
  const bool inside = 0 <= row && row < height && 0 <= col && col < width;
  return inside ? in[row * width + col] : 0;
}

__global__ void soften(int width, int height, const int* in, int* out) {
  __shared__ int tile[34 * 40];
  const int top = 32 * static_cast<int>(blockIdx.y), left = 32 * static_cast<int>(blockIdx.x);
  const int lane = threadIdx.x;
  for (int warp = threadIdx.y; warp < 34; warp += 32) {
    tile[warp * 40 + lane] = at(in, width, height, top + warp - 1, left + lane - 1);
    if (lane < 2)
      tile[warp * 40 + 32 + lane] = at(in, width, height, top + warp - 1, left + lane + 31);
  }
  __syncthreads();
  const int row = top + threadIdx.y, col = left + lane;
  if (row >= height || col >= width) return;
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    const int* three = tile + (threadIdx.y + k) * 40 + lane;
    sum += three[0] + three[1] + three[2];
  }
  out[row * width + col] = sum;
}
