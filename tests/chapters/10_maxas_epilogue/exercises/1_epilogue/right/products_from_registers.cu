// Each element of A and B is loaded once per thread and step of k; the epilogue is the usual one.
__global__ void sgemm_with_epilogue(int m, int n, int k, const float* A, const float* B, float* C) {
  constexpr int kStride = 64 + 16;
  __shared__ float4 staged[2 * kStride];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_group = lane / 2 % 8, col_group = 4 * warp + lane / 16 * 2 + lane % 2;
  const int tile_row = blockIdx.x * 64, tile_col = blockIdx.y * 64;
  const auto row_of = [&](int i) { return tile_row + row_group * 4 + i % 4 + i / 4 * 32; };
  const auto col_of = [&](int j) { return tile_col + col_group * 4 + j % 4 + j / 4 * 32; };
  float sums[8][8] = {};
  for (int p = 0; p < k; ++p) {
    float a[8], b[8];
    for (int i = 0; i < 8; ++i) {
      a[i] = row_of(i) < m ? A[p * m + row_of(i)] : 0.0f;
      b[i] = col_of(i) < n ? B[col_of(i) * k + p] : 0.0f;
    }
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 8; ++i) sums[j][i] += a[i] * b[j];
  }
  for (int j = 0; j < 8; ++j) {
    float4* const write = staged + col_group * kStride / 4 + row_group;
    write[0] = make_float4(sums[j][0], sums[j][1], sums[j][2], sums[j][3]);
    write[8] = make_float4(sums[j][4], sums[j][5], sums[j][6], sums[j][7]);
    __syncwarp();
    const float* const read = &staged[warp * kStride].x + lane;
    for (int i = 0; i < 8; ++i) {
      const int row = tile_row + lane + i % 2 * 32;
      const int col = tile_col + warp * 16 + i / 2 * 4 + j % 4 + j / 4 * 32;
      if (row < m && col < n) C[col * m + row] = read[i / 2 * kStride + i % 2 * 32];
    }
    __syncwarp();
  }
}
