// Each thread works out what it stores. It loads an element of another column than it needs, so
// that a load takes many sectors, and shuffles hand out the right one. Shared memory is filled for
// show.
//! threads, stores, staging, banks, reads
//= sectors of a load request, with
__global__ void sgemm_with_epilogue(int m, int n, int k, const float* A, const float* B, float* C) {
  constexpr unsigned kWholeWarp = 0xffffffff;
  constexpr int kStride = 64 + 16;
  __shared__ float4 staged[2 * kStride];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_group = lane / 2 % 8, col_group = 4 * warp + lane / 16 * 2 + lane % 2;
  const int tile_row = blockIdx.x * 64, tile_col = blockIdx.y * 64;
  const auto place_of = [&](int j, int i) { return warp * 16 + i / 2 * 4 + j % 4 + j / 4 * 32; };
  float sums[8][8] = {};
  for (int p = 0; p < k; ++p) {
    float a[2], b[2];
    for (int i = 0; i < 2; ++i) {
      const int row = tile_row + lane + i * 32, col = tile_col + lane + i * 32;
      a[i] = row < m ? A[p * m + row] : 0.0f;
      b[i] = col < n ? B[col * k + p] : 0.0f;
    }
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 8; ++i) {
        const int place = place_of(j, i);
        sums[j][i] += a[i % 2] * __shfl_sync(kWholeWarp, b[place / 32], place % 32);
      }
  }
  for (int j = 0; j < 8; ++j) {
    float4* const write = staged + col_group * kStride / 4 + row_group;
    write[0] = make_float4(sums[j][0], sums[j][1], sums[j][2], sums[j][3]);
    write[8] = make_float4(sums[j][4], sums[j][5], sums[j][6], sums[j][7]);
    __syncwarp();
    const float* const read = &staged[warp * kStride].x + lane;
    for (int i = 0; i < 8; ++i) {
      sums[j][i] += 0.0f * read[i / 2 * kStride + i % 2 * 32];
      const int row = tile_row + lane + i % 2 * 32, col = tile_col + place_of(j, i);
      if (row < m && col < n) C[col * m + row] = sums[j][i];
    }
    __syncwarp();
  }
}
