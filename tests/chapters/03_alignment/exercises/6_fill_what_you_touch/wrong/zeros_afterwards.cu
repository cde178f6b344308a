// The zeros come in a request of their own: every last sector is touched twice, half full.
//! filled, sectors
//= bytes stored per sector touched
__global__ void store_records(int rows, int cols, int pitch, const int* ids, const float* in,
                              float* table) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) table[ids[i / cols] * pitch + i % cols] = in[i];

  const int padding = (cols + 7) / 8 * 8 - cols;
  if (i < rows * padding) table[ids[i / padding] * pitch + cols + i % padding] = 0.0f;
}
