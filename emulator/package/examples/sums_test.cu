// Compares the sums with those of the CPU, for sizes around the block's.
#include <cstdio>

#include "sums.hpp"

int failures = 0;

void expect(bool is_right, const char* what, int n) {
  if (is_right) return;
  std::printf("wrong: %s of %d elements\n", what, n);
  ++failures;
}

void test(int n) {
  float *x, *y, *sum;
  expect(cudaMallocManaged(&x, (n + 1) * sizeof(float)) == cudaSuccess, "memory", n);
  expect(cudaMallocManaged(&y, (n + 1) * sizeof(float)) == cudaSuccess, "memory", n);
  expect(cudaMallocManaged(&sum, sizeof(float)) == cudaSuccess, "memory", 1);
  float right = 0.0f;
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 7);  // small numbers, whose sums are exact
    y[i] = static_cast<float>(i % 5);
    right += x[i] * (y[i] + 2.0f * x[i]);
  }
  x[n] = 1.0f;  // behind the arrays
  y[n] = -1.0f;

  expect(add_scaled(n, 2.0f, x, y) == cudaSuccess, "add_scaled", n);
  expect(dot_product(n, x, y, sum) == cudaSuccess, "dot_product", n);
  expect(cudaDeviceSynchronize() == cudaSuccess, "the kernels", n);

  for (int i = 0; i < n; ++i)
    expect(y[i] == static_cast<float>(i % 5) + 2.0f * static_cast<float>(i % 7), "add_scaled", n);
  expect(y[n] == -1.0f, "what lies behind y", n);
  expect(*sum == right, "dot_product", n);
  cudaFree(x);
  cudaFree(y);
  cudaFree(sum);
}

int main() {
  for (const int n : {0, 1, 255, 256, 257, 10000}) test(n);
  if (failures != 0) return 1;
  std::puts("all sums are right");
  return 0;
}
