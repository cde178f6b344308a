#pragma once

/// Copies every stride-th element: neighbouring lanes read `stride` floats apart.
///
/// @expect  load sectors per full warp: 4 x stride, up to 32; store sectors: 4
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void copy_strided(int n, int stride,
                             const float* in,  // [n x stride]
                             float* out) {     // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  out[i] = in[i * stride];
}

/// Copies with the lanes of a warp in another order; the warp as a whole takes the same 32
/// elements.
///
/// An odd multiplier visits all 32 lanes, each once, so this is a permutation within the warp.
/// @expect  load and store sectors per full warp: 4, as if the lanes were in order
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32
__global__ void copy_permuted(int n,
                              const float* in,  // [n]
                              float* out) {     // [n]
  constexpr int kMultiplier = 5;
  const int lane = threadIdx.x % warpSize;
  const int first = blockIdx.x * blockDim.x + threadIdx.x - lane;
  const int i = first + kMultiplier * lane % warpSize;
  if (i >= n) return;

  out[i] = in[i];
}

/// Every warp reads one float and writes it 32 times.
///
/// @expect  load sectors per warp: 1; store sectors per full warp: 4
/// @pre     the grid covers n; blocks are one-dimensional and a multiple of 32
__global__ void copy_broadcast(int n,
                               const float* in,  // [n / 32, rounded up]
                               float* out) {     // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  out[i] = in[i / warpSize];
}

/// Copies 8-byte elements: twice the sectors of floats, and none of them wasted.
///
/// @expect  load and store sectors per full warp: 8
/// @pre     the grid covers n; blocks are one-dimensional
__global__ void copy_doubles(int n,
                             const double* in,  // [n]
                             double* out) {     // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  out[i] = in[i];
}

/// C = alpha A B + beta C, row-major, one thread per element of C; beta = 0 does not read C.
///
/// Transposed on purpose: x, which runs fastest within a warp, is the row. With 32 x 32 threads
/// a warp walks down a column of C, and its lanes read A at addresses k floats apart.
/// @expect  load sectors per warp and p: A 32 + B 1 = 33, in two requests
/// @pre     blocks are two-dimensional; the grid covers m in x and n in y
__global__ void sgemm_naive(int m, int n, int k, float alpha,
                            const float* A,  // [m, k]
                            const float* B,  // [k, n]
                            float beta,
                            float* C) {  // [m, n]
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  float& result = C[row * n + col];
  result = beta == 0.0f ? alpha * sum : alpha * sum + beta * result;
}

/// The same with two lines changed: a block is a line of block x block threads, dealt out to the
/// tile of C with / and %.
///
/// Neighbouring lanes take neighbouring columns: they share an element of A and read consecutive
/// elements of B.
/// @expect  load sectors per warp and p: A 1 + B 4 = 5, in two requests
/// @pre     blocks are one-dimensional with block x block threads; the grid covers n in x, m in y
__global__ void sgemm_coalesced(int m, int n, int k, float alpha,
                                const float* A,  // [m, k]
                                const float* B,  // [k, n]
                                float beta,
                                float* C,  // [m, n]
                                int block) {
  const int row = blockIdx.y * block + threadIdx.x / block;
  const int col = blockIdx.x * block + threadIdx.x % block;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  float& result = C[row * n + col];
  result = beta == 0.0f ? alpha * sum : alpha * sum + beta * result;
}

/// The same mapping without / and %: a two-dimensional block whose x is the column.
///
/// @expect  the sectors, requests and results of sgemm_coalesced, all equal
/// @pre     blocks are two-dimensional; the grid covers n in x and m in y
__global__ void sgemm_coalesced_2d(int m, int n, int k, float alpha,
                                   const float* A,  // [m, k]
                                   const float* B,  // [k, n]
                                   float beta,
                                   float* C) {  // [m, n]
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  float& result = C[row * n + col];
  result = beta == 0.0f ? alpha * sum : alpha * sum + beta * result;
}

/// Adds up floats that stay in L1: lanes read `stride` floats apart, and walk down the same lines
/// again and again.
///
/// After the first pass nothing comes from further away, so the time is that of L1. A step goes to
/// the next line, so every request of a warp touches as many lines as the first.
/// @expect  requests per warp: passes x lines; lines per request: stride, up to 32
/// @pre     blocks are one-dimensional and a multiple of 32
__global__ void read_from_l1(int passes, int lines, int stride,
                             const float* in,  // [32 x lines + 31 x stride]
                             float* out) {     // [gridDim.x x blockDim.x]
  constexpr int kLineFloats = 32;
  const float* first = in + threadIdx.x % warpSize * stride;
  float sum = 0.0f;
  for (int pass = 0; pass < passes; ++pass)
    for (int line = 0; line < lines; ++line) sum += first[line * kLineFloats];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
