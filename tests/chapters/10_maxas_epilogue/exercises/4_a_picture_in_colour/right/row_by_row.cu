// A warp has four rows of the block's piece in turn, and room in shared memory for one row alone.
__global__ void colour_picture(int width, int height,
                               const int* steps,      // [height, width]
                               unsigned char* rgb) {  // [height, width, 3]
  __shared__ alignas(4) unsigned char stage[4][96];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int left = blockIdx.x * 32;
  for (int i = warp; i < 32; i += 4) {
    const int row = blockIdx.y * 32 + i;
    if (row >= height) return;
    const int n = steps[row * width + left + lane];
    stage[warp][3 * lane] = 9 * n;
    stage[warp][3 * lane + 1] = 7 * n + 40;
    stage[warp][3 * lane + 2] = 255 - 5 * n;
    __syncwarp();
    if (lane < 24)
      *reinterpret_cast<unsigned int*>(rgb + (row * width + left) * 3 + 4 * lane) =
          *reinterpret_cast<const unsigned int*>(&stage[warp][4 * lane]);
    __syncwarp();
  }
}
