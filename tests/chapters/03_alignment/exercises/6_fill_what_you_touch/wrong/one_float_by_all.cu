// Lanes with nothing of their own store the record's last float once more: as many bytes as a full
// sector has, but no zeros.
//! zeros, filled, sectors
//= floats behind records that are not zero
__global__ void store_records(int rows, int cols, int pitch, const int* ids, const float* in,
                              float* table) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int stored = (cols + 7) / 8 * 8;
  if (i >= rows * stored) return;

  const int row = i / stored, col = min(i % stored, cols - 1);
  table[ids[row] * pitch + col] = in[row * cols + col];
}
