// Vector addition as in most first CUDA programs: an error macro, device memory, a launch, a check.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK_CUDA(call)                                                          \
  do {                                                                            \
    const cudaError_t status_ = (call);                                           \
    if (status_ != cudaSuccess) {                                                 \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
      exit(EXIT_FAILURE);                                                         \
    }                                                                             \
  } while (0)

#define LAUNCH(kernel, n, ...)                          \
  do {                                                  \
    kernel<<<((n) + 255) / 256, 256>>>(__VA_ARGS__, n); \
    CHECK_CUDA(cudaGetLastError());                     \
    CHECK_CUDA(cudaDeviceSynchronize());                \
  } while (0)

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(void) {
  const int n = 10007;
  const size_t bytes = n * sizeof(float);
  float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
  for (int i = 0; i < n; i++) {
    a[i] = (float)i;
    b[i] = 0.5f * (float)(n - i);
    c[i] = -1.0f;
  }
  float *d_a, *d_b, *d_c;
  CHECK_CUDA(cudaMalloc((void **)&d_a, bytes));
  CHECK_CUDA(cudaMalloc(&d_b, bytes));
  CHECK_CUDA(cudaMalloc(&d_c, bytes));
  CHECK_CUDA(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  LAUNCH(add, n, d_a, d_b, d_c);
  CHECK_CUDA(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += c[i] != a[i] + b[i];

  // A block that is too large is refused, and the error does not stick.
  add<<<1, 4096>>>(d_a, d_b, d_c, n);
  if (cudaGetLastError() == cudaSuccess) wrong++;
  if (cudaGetLastError() != cudaSuccess) wrong++;

  CHECK_CUDA(cudaFree(d_a));
  CHECK_CUDA(cudaFree(d_b));
  CHECK_CUDA(cudaFree(d_c));
  free(a);
  free(b);
  free(c);
  printf("vector_add: %d wrong\n", wrong);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
