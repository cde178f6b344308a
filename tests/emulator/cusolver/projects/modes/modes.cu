// The modes of a chain of masses: a kernel makes its matrix, cuSOLVER finds the eigenvalues.
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void make_chain(double* stiffness, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n) return;
  const int distance = abs(i / n - i % n);
  stiffness[i] = distance == 0 ? 2 : distance == 1 ? -1 : 0;
}

int main() {
  const int n = 30;
  double *stiffness, *values, *work;
  int* info;
  cudaMalloc(&stiffness, n * n * sizeof(double));
  cudaMalloc(&values, n * sizeof(double));
  cudaMalloc(&info, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  make_chain<<<4, 256, 0, stream>>>(stiffness, n);

  cusolverDnHandle_t handle;
  int size = 0;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 1;
  if (cusolverDnSetStream(handle, stream) != CUSOLVER_STATUS_SUCCESS) return 1;
  if (cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n,
                                  stiffness, n, values, &size) != CUSOLVER_STATUS_SUCCESS)
    return 1;
  cudaMalloc(&work, size * sizeof(double));
  if (cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n, stiffness, n,
                       values, work, size, info) != CUSOLVER_STATUS_SUCCESS)
    return 1;
  std::vector<double> found(n);
  cudaMemcpyAsync(found.data(), values, n * sizeof(double), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  int wrong = 0;
  for (int k = 0; k < n; ++k) {
    const double half = std::sin((k + 1) * 3.14159265358979323846 / (2 * (n + 1)));
    wrong += !(std::abs(found[k] - 4 * half * half) < 1e-12);
  }
  cusolverDnDestroy(handle);
  cudaStreamDestroy(stream);
  for (void* memory : {static_cast<void*>(stiffness), static_cast<void*>(values),
                       static_cast<void*>(work), static_cast<void*>(info)})
    cudaFree(memory);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
