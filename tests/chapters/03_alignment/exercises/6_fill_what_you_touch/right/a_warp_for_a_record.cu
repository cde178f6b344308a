// The lanes of a warp go along a record, 32 floats at a time.
__global__ void store_records(int rows, int cols, int pitch, const int* ids, const float* in,
                              float* table) {
  const int warps = gridDim.x * blockDim.x / 32;
  const int lane = threadIdx.x % 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    float* const to = table + ids[row] * pitch;
    for (int col = lane; col < ((cols + 7) & ~7); col += 32)
      to[col] = col < cols ? in[row * cols + col] : 0.0f;
  }
}
