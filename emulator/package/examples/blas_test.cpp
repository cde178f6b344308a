// Compares our dot product with cuBLAS's.
#include <cublas_v2.h>

#include <cstdio>

#include "sums.hpp"

int main() {
  const int n = 1000;
  float *x, *ours, *theirs;
  cudaMallocManaged(reinterpret_cast<void**>(&x), n * sizeof(float));
  cudaMallocManaged(reinterpret_cast<void**>(&ours), sizeof(float));
  cudaMallocManaged(reinterpret_cast<void**>(&theirs), sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i % 7);

  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 2;
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  const bool is_called = dot_product(n, x, x, ours) == cudaSuccess &&
                         cublasSdot(handle, n, x, 1, x, 1, theirs) == CUBLAS_STATUS_SUCCESS &&
                         cudaDeviceSynchronize() == cudaSuccess;
  cublasDestroy(handle);
  const bool is_right = is_called && *ours == *theirs;
  std::printf("ours %g, cuBLAS's %g\n", *ours, *theirs);
  for (float* const memory : {x, ours, theirs}) cudaFree(memory);
  return is_right ? 0 : 1;
}
