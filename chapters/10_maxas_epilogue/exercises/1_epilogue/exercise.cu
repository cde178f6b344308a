// Exercise 10.1: the epilogue of maxas. `./course check 10 --exercise 1` says how far you are.

/// C = A B with the thread mapping of maxas: 64 threads, a tile of 64 x 64. Every store to C is to
/// take 4 sectors, every 16-byte store to shared memory 4 wavefronts.
///
/// The loop for the results is as plain as can be; the epilogue is yours. The grid covers m in x
/// and n in y.
__global__ void sgemm_with_epilogue(int m, int n, int k,
                                    const float* A,  // [m, k], column-major
                                    const float* B,  // [k, n], column-major
                                    float* C) {      // [m, n], column-major
  constexpr int kTile = 64, kHalf = kTile / 2, kOwn = 8, kQuad = 4, kWarp = 32;
#ifdef COURSE_SOLUTION
  constexpr int kStride = kTile + 16;
  __shared__ float4 staged[2 * kQuad * kStride / kQuad];
#else
  // TODO: shared memory for a warp's four columns of 64 floats, for each of the two warps. How far
  // apart should two columns be?
#endif

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

#ifdef COURSE_SOLUTION
    float4* const write_cs = staged + col_group * kStride / kQuad + row_group;
    write_cs[0] = make_float4(cs[0], cs[1], cs[2], cs[3]);
    write_cs[kHalf / kQuad] = make_float4(cs[4], cs[5], cs[6], cs[7]);
    __syncwarp();
    const float* const read_cs = &staged[warp * kStride].x + lane;
    for (int i = 0; i < kOwn; ++i) cs[i] = read_cs[i / 2 * kStride + i % 2 * kHalf];
    __syncwarp();

    for (int i = 0; i < kOwn; ++i) {
      rows[i] = tile_row + lane + i % 2 * kHalf;
      cols[i] = tile_col + warp * 16 + i / 2 * kQuad + col_in_group;
    }
#else
    // TODO: pass the results on through shared memory, so that cs[i] of a warp's 32 lanes are
    // neighbours in a column of C. Who must wait for whom, and when?

    // TODO: which element of C is cs[i] now?
#endif

    for (int i = 0; i < kOwn; ++i)
      if (rows[i] < m && cols[i] < n) C[cols[i] * m + rows[i]] = cs[i];
  }
}
