#pragma once

// Exercise for chapter 09: add lines below each TODO, then run `./course check 09`.
// `./course check 09 --hint` helps; `--hint 2` helps more.

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
  // TODO 1: shared memory for a warp's four columns of 64 floats, for each of the two warps. How
  // far apart should two columns be?

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

    // TODO 2: pass the results on through shared memory, so that cs[i] of a warp's 32 lanes are
    // neighbours in a column of C. Who must wait for whom, and when?

    // TODO 3: which element of C is cs[i] now?

    for (int i = 0; i < kOwn; ++i)
      if (rows[i] < m && cols[i] < n) C[cols[i] * m + rows[i]] = cs[i];
  }
}
