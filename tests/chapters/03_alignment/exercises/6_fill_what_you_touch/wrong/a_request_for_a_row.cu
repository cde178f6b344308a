// No sector is touched twice, but the last one of a record stays half full.
//! zeros, filled, sectors
//= How many floats has the last sector of a row room for?
__global__ void store_records(int rows, int cols, int pitch, const int* ids, const float* in,
                              float* table) {
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps)
    for (int col = threadIdx.x % 32; col < cols; col += 32)
      table[ids[row] * pitch + col] = in[row * cols + col];
}
