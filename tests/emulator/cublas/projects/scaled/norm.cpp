// Host code alone, which the host's compiler sees.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  const float x[2] = {3, 4};
  float* on_device = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&on_device), sizeof x);
  cublasHandle_t handle;
  float norm = 0;
  const bool is_done =
      cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS &&
      cublasSetVector(2, sizeof(float), x, 1, on_device, 1) == CUBLAS_STATUS_SUCCESS &&
      cublasSnrm2(handle, 2, on_device, 1, &norm) == CUBLAS_STATUS_SUCCESS &&
      cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS;
  cudaFree(on_device);
  std::printf("%g\n", norm);
  return is_done && norm == 5 ? 0 : 1;
}
