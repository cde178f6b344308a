#pragma once

/// C = alpha A B + beta C, column-major, any m, n and k; beta = 0 does not read C. 64 threads
/// compute a tile of 64 x 64, each 8 x 8 of it, and store it as maxas does: eight times, a warp
/// passes four columns of 64 results through shared memory.
///
/// `pad` floats are left free between two columns in shared memory.
/// @expect  store sectors per request: 4, where columns of C begin at a sector
/// @expect  wavefronts per 16-byte store: 8 if pad is 0, 4 if it is 16
/// @pre     64 threads; the grid covers m in x and n in y with tiles of 64 x 64;
///          pad is a multiple of 4, up to 32
__global__ void maxas_64(int m, int n, int k, float alpha,  // C = alpha A B + beta C
                         const float* A, size_t lda,        // [m, k], column-major
                         const float* B, size_t ldb,        // [k, n], column-major
                         float beta,                        // 0: C is not read
                         float* C, size_t ldc,              // [m, n], column-major
                         int pad) {
  constexpr int kTile = 64, kHalf = kTile / 2, kDepth = 8, kOwn = 8, kQuad = 4;
  constexpr int kThreads = kTile / kOwn * kTile / kOwn;
  constexpr int kWarp = 32, kWarpRows = 8, kWarpCols = 4, kStrips = kHalf / kWarpCols / kQuad;
  __shared__ alignas(16) float a_tile[kDepth][kTile], b_tile[kDepth][kTile + kQuad];

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int strip = warp % kStrips, side = warp / kStrips;
  const int row_group = side * kWarpRows + lane / 2 % kWarpRows;
  const int col_group = strip * kWarpCols + lane / (2 * kWarpRows) * 2 + lane % 2;
  const int tile_row = blockIdx.x * kTile, tile_col = blockIdx.y * kTile;

  float sums[kOwn][kOwn] = {};  // [col][row]
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll 2  // with more, two blocks of 256 threads would run out of registers
    for (int load = 0; load < kDepth * kTile; load += kThreads) {
      const int i = load + threadIdx.x;
      const int row = tile_row + i % kTile, p = first + i / kTile;
      a_tile[i / kTile][i % kTile] = row < m && p < k ? A[p * lda + row] : 0.0f;
      const int col = tile_col + i / kDepth, q = first + i % kDepth;
      b_tile[i % kDepth][i / kDepth] = col < n && q < k ? B[col * ldb + q] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      const float4 a0 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group]);
      const float4 a4 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group + kHalf]);
      const float4 b0 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group]);
      const float4 b4 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group + kHalf]);
      const float a[kOwn] = {a0.x, a0.y, a0.z, a0.w, a4.x, a4.y, a4.z, a4.w};
      const float b[kOwn] = {b0.x, b0.y, b0.z, b0.w, b4.x, b4.y, b4.z, b4.w};
      for (int j = 0; j < kOwn; ++j)
        for (int i = 0; i < kOwn; ++i) sums[j][i] += a[i] * b[j];
    }
    __syncthreads();
  }

  constexpr int kMaxPad = 32, kSkip = kHalf - kQuad;  // columns between a thread's two fours
  static_assert(kSkip == 28);
  __shared__ float4 staged[kTile / kOwn * (kTile + kMaxPad) / kQuad];  // [kTile / kOwn, stride]
  const int stride = kTile + pad;
  float4* const write_cs = staged + col_group * stride / kQuad + row_group;
  const float* const read_cs = &staged[strip * kWarpCols * stride / kQuad].x + side * kWarp + lane;
  const int row = tile_row + side * kWarp + lane;
  int col = tile_col + strip * kWarpCols * kQuad;
  float* out = C + col * ldc + row;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const float* const s = sums[j];
    write_cs[0] = make_float4(s[0], s[1], s[2], s[3]);
    write_cs[kHalf / kQuad] = make_float4(s[4], s[5], s[6], s[7]);
    __syncwarp();  // the warp's four columns are complete
    float cs[kOwn];
    for (int i = 0; i < kOwn; ++i) cs[i] = read_cs[i / 2 * stride + i % 2 * kHalf];
    __syncwarp();  // and have been read
    for (int half = 0; half < 2 && row + half * kHalf < m; ++half) {
      for (int i = 0; i < kQuad && col + i * kQuad < n; ++i) {
        float& result = out[i * kQuad * ldc + half * kHalf];
        const float sum = cs[2 * i + half];
        result = beta == 0.0f ? alpha * sum : alpha * sum + beta * result;
      }
    }
    const int step = j + 1 == kQuad ? 1 + kSkip : 1;
    col += step;
    out += step * ldc;
  }
}

/// The same with 256 threads and a tile of 128 x 128: one other number, and what follows from it.
///
/// @expect  store sectors per request: 4, where columns of C begin at a sector
/// @expect  wavefronts per 16-byte store: 8 if pad is 0, 4 if it is 16
/// @pre     256 threads; the grid covers m in x and n in y with tiles of 128 x 128;
///          pad is a multiple of 4, up to 32
__global__ void maxas_256(int m, int n, int k, float alpha,  // C = alpha A B + beta C
                          const float* A, size_t lda,        // [m, k], column-major
                          const float* B, size_t ldb,        // [k, n], column-major
                          float beta,                        // 0: C is not read
                          float* C, size_t ldc,              // [m, n], column-major
                          int pad) {
  constexpr int kTile = 128, kHalf = kTile / 2, kDepth = 8, kOwn = 8, kQuad = 4;
  constexpr int kThreads = kTile / kOwn * kTile / kOwn;
  constexpr int kWarp = 32, kWarpRows = 8, kWarpCols = 4, kStrips = kHalf / kWarpCols / kQuad;
  __shared__ alignas(16) float a_tile[kDepth][kTile], b_tile[kDepth][kTile + kQuad];

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int strip = warp % kStrips, side = warp / kStrips;
  const int row_group = side * kWarpRows + lane / 2 % kWarpRows;
  const int col_group = strip * kWarpCols + lane / (2 * kWarpRows) * 2 + lane % 2;
  const int tile_row = blockIdx.x * kTile, tile_col = blockIdx.y * kTile;

  float sums[kOwn][kOwn] = {};  // [col][row]
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll 2  // with more, two blocks of 256 threads would run out of registers
    for (int load = 0; load < kDepth * kTile; load += kThreads) {
      const int i = load + threadIdx.x;
      const int row = tile_row + i % kTile, p = first + i / kTile;
      a_tile[i / kTile][i % kTile] = row < m && p < k ? A[p * lda + row] : 0.0f;
      const int col = tile_col + i / kDepth, q = first + i % kDepth;
      b_tile[i % kDepth][i / kDepth] = col < n && q < k ? B[col * ldb + q] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      const float4 a0 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group]);
      const float4 a4 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group + kHalf]);
      const float4 b0 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group]);
      const float4 b4 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group + kHalf]);
      const float a[kOwn] = {a0.x, a0.y, a0.z, a0.w, a4.x, a4.y, a4.z, a4.w};
      const float b[kOwn] = {b0.x, b0.y, b0.z, b0.w, b4.x, b4.y, b4.z, b4.w};
      for (int j = 0; j < kOwn; ++j)
        for (int i = 0; i < kOwn; ++i) sums[j][i] += a[i] * b[j];
    }
    __syncthreads();
  }

  constexpr int kMaxPad = 32, kSkip = kHalf - kQuad;  // columns between a thread's two fours
  static_assert(kSkip == 60);
  __shared__ float4 staged[kTile / kOwn * (kTile + kMaxPad) / kQuad];  // [kTile / kOwn, stride]
  const int stride = kTile + pad;
  float4* const write_cs = staged + col_group * stride / kQuad + row_group;
  const float* const read_cs = &staged[strip * kWarpCols * stride / kQuad].x + side * kWarp + lane;
  const int row = tile_row + side * kWarp + lane;
  int col = tile_col + strip * kWarpCols * kQuad;
  float* out = C + col * ldc + row;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const float* const s = sums[j];
    write_cs[0] = make_float4(s[0], s[1], s[2], s[3]);
    write_cs[kHalf / kQuad] = make_float4(s[4], s[5], s[6], s[7]);
    __syncwarp();  // the warp's four columns are complete
    float cs[kOwn];
    for (int i = 0; i < kOwn; ++i) cs[i] = read_cs[i / 2 * stride + i % 2 * kHalf];
    __syncwarp();  // and have been read
    for (int half = 0; half < 2 && row + half * kHalf < m; ++half) {
      for (int i = 0; i < kQuad && col + i * kQuad < n; ++i) {
        float& result = out[i * kQuad * ldc + half * kHalf];
        const float sum = cs[2 * i + half];
        result = beta == 0.0f ? alpha * sum : alpha * sum + beta * result;
      }
    }
    const int step = j + 1 == kQuad ? 1 + kSkip : 1;
    col += step;
    out += step * ldc;
  }
}

/// maxas_64 as published, without __syncwarp(): right while the lanes of a warp went in step, and
/// wrong since they need not.
///
/// @expect  the requests of maxas_64; not its results
/// @pre     64 threads; the grid covers m in x and n in y with tiles of 64 x 64;
///          pad is a multiple of 4, up to 32
__global__ void maxas_64_unsynchronised(int m, int n, int k, float alpha,  // C = alpha A B + beta C
                                        const float* A, size_t lda,        // [m, k], column-major
                                        const float* B, size_t ldb,        // [k, n], column-major
                                        float beta,                        // 0: C is not read
                                        float* C, size_t ldc,              // [m, n], column-major
                                        int pad) {
  constexpr int kTile = 64, kHalf = kTile / 2, kDepth = 8, kOwn = 8, kQuad = 4;
  constexpr int kThreads = kTile / kOwn * kTile / kOwn;
  constexpr int kWarp = 32, kWarpRows = 8, kWarpCols = 4, kStrips = kHalf / kWarpCols / kQuad;
  __shared__ alignas(16) float a_tile[kDepth][kTile], b_tile[kDepth][kTile + kQuad];

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int strip = warp % kStrips, side = warp / kStrips;
  const int row_group = side * kWarpRows + lane / 2 % kWarpRows;
  const int col_group = strip * kWarpCols + lane / (2 * kWarpRows) * 2 + lane % 2;
  const int tile_row = blockIdx.x * kTile, tile_col = blockIdx.y * kTile;

  float sums[kOwn][kOwn] = {};  // [col][row]
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll 2  // with more, two blocks of 256 threads would run out of registers
    for (int load = 0; load < kDepth * kTile; load += kThreads) {
      const int i = load + threadIdx.x;
      const int row = tile_row + i % kTile, p = first + i / kTile;
      a_tile[i / kTile][i % kTile] = row < m && p < k ? A[p * lda + row] : 0.0f;
      const int col = tile_col + i / kDepth, q = first + i % kDepth;
      b_tile[i % kDepth][i / kDepth] = col < n && q < k ? B[col * ldb + q] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      const float4 a0 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group]);
      const float4 a4 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group + kHalf]);
      const float4 b0 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group]);
      const float4 b4 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group + kHalf]);
      const float a[kOwn] = {a0.x, a0.y, a0.z, a0.w, a4.x, a4.y, a4.z, a4.w};
      const float b[kOwn] = {b0.x, b0.y, b0.z, b0.w, b4.x, b4.y, b4.z, b4.w};
      for (int j = 0; j < kOwn; ++j)
        for (int i = 0; i < kOwn; ++i) sums[j][i] += a[i] * b[j];
    }
    __syncthreads();
  }

  constexpr int kMaxPad = 32, kSkip = kHalf - kQuad;  // columns between a thread's two fours
  static_assert(kSkip == 28);
  __shared__ float4 staged[kTile / kOwn * (kTile + kMaxPad) / kQuad];  // [kTile / kOwn, stride]
  const int stride = kTile + pad;
  float4* const write_cs = staged + col_group * stride / kQuad + row_group;
  const float* const read_cs = &staged[strip * kWarpCols * stride / kQuad].x + side * kWarp + lane;
  const int row = tile_row + side * kWarp + lane;
  int col = tile_col + strip * kWarpCols * kQuad;
  float* out = C + col * ldc + row;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const float* const s = sums[j];
    write_cs[0] = make_float4(s[0], s[1], s[2], s[3]);
    write_cs[kHalf / kQuad] = make_float4(s[4], s[5], s[6], s[7]);
    float cs[kOwn];
    for (int i = 0; i < kOwn; ++i) cs[i] = read_cs[i / 2 * stride + i % 2 * kHalf];
    for (int half = 0; half < 2 && row + half * kHalf < m; ++half) {
      for (int i = 0; i < kQuad && col + i * kQuad < n; ++i) {
        float& result = out[i * kQuad * ldc + half * kHalf];
        const float sum = cs[2 * i + half];
        result = beta == 0.0f ? alpha * sum : alpha * sum + beta * result;
      }
    }
    const int step = j + 1 == kQuad ? 1 + kSkip : 1;
    col += step;
    out += step * ldc;
  }
}

/// maxas_64 with another epilogue: every thread stores its results where they belong.
///
/// @expect  store sectors per request: 16, a quarter of each wanted
/// @pre     64 threads; the grid covers m in x and n in y with tiles of 64 x 64
__global__ void maxas_64_direct(int m, int n, int k, float alpha,  // C = alpha A B + beta C
                                const float* A, size_t lda,        // [m, k], column-major
                                const float* B, size_t ldb,        // [k, n], column-major
                                float beta,                        // 0: C is not read
                                float* C, size_t ldc) {            // [m, n], column-major
  constexpr int kTile = 64, kHalf = kTile / 2, kDepth = 8, kOwn = 8, kQuad = 4;
  constexpr int kThreads = kTile / kOwn * kTile / kOwn;
  constexpr int kWarp = 32, kWarpRows = 8, kWarpCols = 4, kStrips = kHalf / kWarpCols / kQuad;
  __shared__ alignas(16) float a_tile[kDepth][kTile], b_tile[kDepth][kTile + kQuad];

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int strip = warp % kStrips, side = warp / kStrips;
  const int row_group = side * kWarpRows + lane / 2 % kWarpRows;
  const int col_group = strip * kWarpCols + lane / (2 * kWarpRows) * 2 + lane % 2;
  const int tile_row = blockIdx.x * kTile, tile_col = blockIdx.y * kTile;

  float sums[kOwn][kOwn] = {};  // [col][row]
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll 2  // with more, two blocks of 256 threads would run out of registers
    for (int load = 0; load < kDepth * kTile; load += kThreads) {
      const int i = load + threadIdx.x;
      const int row = tile_row + i % kTile, p = first + i / kTile;
      a_tile[i / kTile][i % kTile] = row < m && p < k ? A[p * lda + row] : 0.0f;
      const int col = tile_col + i / kDepth, q = first + i % kDepth;
      b_tile[i % kDepth][i / kDepth] = col < n && q < k ? B[col * ldb + q] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      const float4 a0 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group]);
      const float4 a4 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group + kHalf]);
      const float4 b0 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group]);
      const float4 b4 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group + kHalf]);
      const float a[kOwn] = {a0.x, a0.y, a0.z, a0.w, a4.x, a4.y, a4.z, a4.w};
      const float b[kOwn] = {b0.x, b0.y, b0.z, b0.w, b4.x, b4.y, b4.z, b4.w};
      for (int j = 0; j < kOwn; ++j)
        for (int i = 0; i < kOwn; ++i) sums[j][i] += a[i] * b[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const int col = tile_col + col_group * kQuad + j % kQuad + j / kQuad * kHalf;
    for (int i = 0; i < kOwn; ++i) {
      const int row = tile_row + row_group * kQuad + i % kQuad + i / kQuad * kHalf;
      if (row >= m || col >= n) continue;
      float& result = C[col * ldc + row];
      result = beta == 0.0f ? alpha * sums[j][i] : alpha * sums[j][i] + beta * result;
    }
  }
}

/// maxas_256 with the epilogue of maxas_64_direct.
///
/// @expect  store sectors per request: 16, a quarter of each wanted
/// @pre     256 threads; the grid covers m in x and n in y with tiles of 128 x 128
__global__ void maxas_256_direct(int m, int n, int k, float alpha,  // C = alpha A B + beta C
                                 const float* A, size_t lda,        // [m, k], column-major
                                 const float* B, size_t ldb,        // [k, n], column-major
                                 float beta,                        // 0: C is not read
                                 float* C, size_t ldc) {            // [m, n], column-major
  constexpr int kTile = 128, kHalf = kTile / 2, kDepth = 8, kOwn = 8, kQuad = 4;
  constexpr int kThreads = kTile / kOwn * kTile / kOwn;
  constexpr int kWarp = 32, kWarpRows = 8, kWarpCols = 4, kStrips = kHalf / kWarpCols / kQuad;
  __shared__ alignas(16) float a_tile[kDepth][kTile], b_tile[kDepth][kTile + kQuad];

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int strip = warp % kStrips, side = warp / kStrips;
  const int row_group = side * kWarpRows + lane / 2 % kWarpRows;
  const int col_group = strip * kWarpCols + lane / (2 * kWarpRows) * 2 + lane % 2;
  const int tile_row = blockIdx.x * kTile, tile_col = blockIdx.y * kTile;

  float sums[kOwn][kOwn] = {};  // [col][row]
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll 2  // with more, two blocks of 256 threads would run out of registers
    for (int load = 0; load < kDepth * kTile; load += kThreads) {
      const int i = load + threadIdx.x;
      const int row = tile_row + i % kTile, p = first + i / kTile;
      a_tile[i / kTile][i % kTile] = row < m && p < k ? A[p * lda + row] : 0.0f;
      const int col = tile_col + i / kDepth, q = first + i % kDepth;
      b_tile[i % kDepth][i / kDepth] = col < n && q < k ? B[col * ldb + q] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      const float4 a0 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group]);
      const float4 a4 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group + kHalf]);
      const float4 b0 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group]);
      const float4 b4 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group + kHalf]);
      const float a[kOwn] = {a0.x, a0.y, a0.z, a0.w, a4.x, a4.y, a4.z, a4.w};
      const float b[kOwn] = {b0.x, b0.y, b0.z, b0.w, b4.x, b4.y, b4.z, b4.w};
      for (int j = 0; j < kOwn; ++j)
        for (int i = 0; i < kOwn; ++i) sums[j][i] += a[i] * b[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const int col = tile_col + col_group * kQuad + j % kQuad + j / kQuad * kHalf;
    for (int i = 0; i < kOwn; ++i) {
      const int row = tile_row + row_group * kQuad + i % kQuad + i / kQuad * kHalf;
      if (row >= m || col >= n) continue;
      float& result = C[col * ldc + row];
      result = beta == 0.0f ? alpha * sums[j][i] : alpha * sums[j][i] + beta * result;
    }
  }
}

/// maxas_256_direct with 16-byte stores, where the columns of C begin at a multiple of 16 bytes.
///
/// @expect  store sectors per request: 16, all of each wanted; else those of maxas_256_direct
/// @pre     256 threads; the grid covers m in x and n in y with tiles of 128 x 128
__global__ void maxas_256_wide(int m, int n, int k, float alpha,  // C = alpha A B + beta C
                               const float* A, size_t lda,        // [m, k], column-major
                               const float* B, size_t ldb,        // [k, n], column-major
                               float beta,                        // 0: C is not read
                               float* C, size_t ldc) {            // [m, n], column-major
  constexpr int kTile = 128, kHalf = kTile / 2, kDepth = 8, kOwn = 8, kQuad = 4;
  constexpr int kThreads = kTile / kOwn * kTile / kOwn;
  constexpr int kWarp = 32, kWarpRows = 8, kWarpCols = 4, kStrips = kHalf / kWarpCols / kQuad;
  __shared__ alignas(16) float a_tile[kDepth][kTile], b_tile[kDepth][kTile + kQuad];

  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const int strip = warp % kStrips, side = warp / kStrips;
  const int row_group = side * kWarpRows + lane / 2 % kWarpRows;
  const int col_group = strip * kWarpCols + lane / (2 * kWarpRows) * 2 + lane % 2;
  const int tile_row = blockIdx.x * kTile, tile_col = blockIdx.y * kTile;

  float sums[kOwn][kOwn] = {};  // [col][row]
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll 2  // with more, two blocks of 256 threads would run out of registers
    for (int load = 0; load < kDepth * kTile; load += kThreads) {
      const int i = load + threadIdx.x;
      const int row = tile_row + i % kTile, p = first + i / kTile;
      a_tile[i / kTile][i % kTile] = row < m && p < k ? A[p * lda + row] : 0.0f;
      const int col = tile_col + i / kDepth, q = first + i % kDepth;
      b_tile[i % kDepth][i / kDepth] = col < n && q < k ? B[col * ldb + q] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      const float4 a0 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group]);
      const float4 a4 = *reinterpret_cast<const float4*>(&a_tile[p][kQuad * row_group + kHalf]);
      const float4 b0 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group]);
      const float4 b4 = *reinterpret_cast<const float4*>(&b_tile[p][kQuad * col_group + kHalf]);
      const float a[kOwn] = {a0.x, a0.y, a0.z, a0.w, a4.x, a4.y, a4.z, a4.w};
      const float b[kOwn] = {b0.x, b0.y, b0.z, b0.w, b4.x, b4.y, b4.z, b4.w};
      for (int j = 0; j < kOwn; ++j)
        for (int i = 0; i < kOwn; ++i) sums[j][i] += a[i] * b[j];
    }
    __syncthreads();
  }

  const bool aligned = ldc % kQuad == 0 && reinterpret_cast<size_t>(C) % sizeof(float4) == 0;
#pragma unroll
  for (int j = 0; j < kOwn; ++j) {
    const int col = tile_col + col_group * kQuad + j % kQuad + j / kQuad * kHalf;
    for (int half = 0; half < 2; ++half) {
      const int row = tile_row + row_group * kQuad + half * kHalf;
      const float* const s = &sums[j][half * kQuad];
      float* const out = C + col * ldc + row;
      if (aligned && row + kQuad <= m && col < n) {
        float4& result = *reinterpret_cast<float4*>(out);
        float4 old = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (beta != 0.0f) old = result;
        result = make_float4(alpha * s[0] + beta * old.x, alpha * s[1] + beta * old.y,
                             alpha * s[2] + beta * old.z, alpha * s[3] + beta * old.w);
        continue;
      }
      for (int i = 0; i < kQuad && row + i < m && col < n; ++i)
        out[i] = beta == 0.0f ? alpha * s[i] : alpha * s[i] + beta * out[i];
    }
  }
}
