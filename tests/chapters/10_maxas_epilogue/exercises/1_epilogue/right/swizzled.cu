// No padding: in every other column, the two halves of 32 rows have changed places.
__global__ void sgemm_with_epilogue(int m, int n, int k,
                                    const float* A,  // [m, k], column-major
                                    const float* B,  // [k, n], column-major
                                    float* C) {      // [m, n], column-major
  constexpr int kTile = 64, kHalf = kTile / 2, kOwn = 8, kQuad = 4, kWarp = 32;
  constexpr int kStride = kTile;
  __shared__ float4 staged[2 * kQuad * kStride / kQuad];

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int row_group = lane / 2 % 8;
  const int col_group = 4 * warp + lane / 16 * 2 + lane % 2;
  const int tile_row = blockIdx.x * kTile, tile_col = blockIdx.y * kTile;
  for (int j = 0; j < kOwn; ++j) {
    // Eight results of one column: four rows, and the four rows kHalf further down.
    const int col_in_group = j % kQuad + j / kQuad * kHalf;
    float cs[kOwn];
    int rows[kOwn], cols[kOwn];  // the element of C that each of them is
    for (int i = 0; i < kOwn; ++i) {
      rows[i] = tile_row + row_group * kQuad + i % kQuad + i / kQuad * kHalf;
      cols[i] = tile_col + col_group * kQuad + col_in_group;
      cs[i] = 0.0f;
      if (rows[i] >= m || cols[i] >= n) continue;
      for (int p = 0; p < k; ++p) cs[i] += A[p * m + rows[i]] * B[cols[i] * k + p];
    }

    float4* const write_cs =
        staged + col_group * kStride / kQuad + (row_group ^ col_group % 2 * kQuad);
    write_cs[0] = make_float4(cs[0], cs[1], cs[2], cs[3]);
    write_cs[kHalf / kQuad] = make_float4(cs[4], cs[5], cs[6], cs[7]);
    __syncwarp();
    const float* const read_cs = &staged[warp * kStride].x;
    for (int i = 0; i < kOwn; ++i)
      cs[i] = read_cs[i / 2 * kStride + i % 2 * kHalf + (lane ^ i / 2 % 2 * kWarp / 2)];
    __syncwarp();

    for (int i = 0; i < kOwn; ++i) {
      rows[i] = tile_row + lane + i % 2 * kHalf;
      cols[i] = tile_col + warp * 16 + i / 2 * kQuad + col_in_group;
    }

    for (int i = 0; i < kOwn; ++i)
      if (rows[i] < m && cols[i] < n) C[cols[i] * m + rows[i]] = cs[i];
  }
}
