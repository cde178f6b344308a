// All 768 bytes of a warp's piece are stored in 16-byte chunks where the height allows, two rows
// and two thirds of another at a time.
__global__ void colour_picture(int width, int height,
                               const int* steps,      // [height, width]
                               unsigned char* rgb) {  // [height, width, 3]
  __shared__ uint4 stage[4][8][6];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * 32, top = (blockIdx.y * 4 + warp) * 8;
  const int rows = min(8, height - top);
  for (int i = 0; i < rows; ++i) {
    const int n = steps[(top + i) * width + left + lane];
    unsigned char* const pixel = reinterpret_cast<unsigned char*>(stage[warp][i]) + 3 * lane;
    pixel[0] = 9 * n;
    pixel[1] = 7 * n + 40;
    pixel[2] = 255 - 5 * n;
  }
  __syncwarp();
  for (int chunk = lane; chunk < rows * 6; chunk += 32) {
    const int row = chunk / 6;
    reinterpret_cast<uint4*>(rgb + ((top + row) * width + left) * 3)[chunk % 6] =
        stage[warp][row][chunk % 6];
  }
}
