// Each thread stores four floats, half a sector.
__global__ void store_records(int rows, int cols, int pitch, const int* ids, const float* in,
                              float* table) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int quads = (cols + 7) / 8 * 2;
  if (i >= rows * quads) return;

  const int row = i / quads, col = i % quads * 4;
  float v[4] = {};
  for (int k = 0; k < 4; ++k)
    if (col + k < cols) v[k] = in[row * cols + col + k];
  *reinterpret_cast<float4*>(table + ids[row] * pitch + col) = make_float4(v[0], v[1], v[2], v[3]);
}
