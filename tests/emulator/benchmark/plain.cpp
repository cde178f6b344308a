#include "plain.hpp"

#include <cstddef>

namespace plain {

void read_offset(const float* a, const float* b, float* c, int n, int offset) {
  for (int i = 0; i + offset < n; ++i) c[i] = a[i + offset] + b[i + offset];
}

void sgemm(int m, int n, int k, const float* A, const float* B, float* C) {
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      float sum = 0.0f;
      for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
      C[row * n + col] = sum;
    }
}

}  // namespace plain
