// Kernels and cuBLAS in one stream, with scalars in device memory: each call sees what was before.
#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s\n", cublasGetStatusString(status));
  std::exit(1);
}

__global__ void fill(float* x, int n, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

__global__ void add(float* x, int n, const float* value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += *value;
}

int main() {
  const int n = 96;
  float *a, *b, *c, *numbers;  // numbers: alpha, beta, a sum
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMalloc(&numbers, 3 * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cublasHandle_t handle;
  check(cublasCreate(&handle));
  check(cublasSetStream(handle, stream));
  check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));

  fill<<<n, n, 0, stream>>>(a, n * n, 2.0f);
  fill<<<n, n, 0, stream>>>(b, n * n, 3.0f);
  fill<<<1, 1, 0, stream>>>(numbers, 1, 0.5f);
  fill<<<1, 1, 0, stream>>>(numbers + 1, 1, 0.0f);
  check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, numbers, a, n, b, n, numbers + 1, c,
                    n));
  check(cublasSasum(handle, n, c, 1, numbers + 2));
  add<<<n, n, 0, stream>>>(c, n * n, numbers + 2);

  std::vector<float> result(n * n);
  cudaMemcpyAsync(result.data(), c, n * n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  const float element = 0.5f * 2 * 3 * n;
  int wrong = 0;
  for (const float value : result) wrong += value != element + element * n;
  std::printf("%d wrong\n", wrong);
  check(cublasDestroy(handle));
  cudaStreamDestroy(stream);
  for (float* p : {a, b, c, numbers}) cudaFree(p);
  return wrong != 0;
}
