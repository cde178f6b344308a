// Eight lanes for a sector; the blocks take turns.
__global__ void store_records(int rows, int cols, int pitch, const int* ids, const float* in,
                              float* table) {
  const int sectors_of_a_row = (cols - 1) / 8 + 1;
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int i = first; i < rows * sectors_of_a_row * 8; i += step) {
    const int sector = i / 8, row = sector / sectors_of_a_row;
    const int col = sector % sectors_of_a_row * 8 + i % 8;
    float value = 0.0f;
    if (col < cols) value = in[row * cols + col];
    table[ids[row] * pitch + col] = value;
  }
}
