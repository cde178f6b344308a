// Heat spreads along a rod: a kernel writes the matrix of one step, cuSPARSE takes the steps.
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                         \
  do {                                                      \
    const int status = static_cast<int>(call);              \
    if (status != 0) {                                      \
      std::printf("%s: %d, %s\n", __FILE__, status, #call); \
      return 1;                                             \
    }                                                       \
  } while (false)

// Row i of the matrix: 1/4, 1/2, 1/4. The first and the last row have one value less.
__global__ void write_rows(int n, int* offsets, int* columns, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) return;
  int k = i == 0 ? 0 : 3 * i - 1;
  if (i == n) k -= 1;
  offsets[i] = k;
  if (i == n) return;
  for (int j = max(i - 1, 0); j <= min(i + 1, n - 1); ++j, ++k) {
    columns[k] = j;
    values[k] = i == j ? 0.5f : 0.25f;
  }
}

int main() {
  const int n = 100, count = 3 * n - 2, steps = 50;
  int *offsets, *columns;
  float *values, *x, *y;
  CHECK(cudaMalloc(&offsets, (n + 1) * sizeof(int)));
  CHECK(cudaMalloc(&columns, count * sizeof(int)));
  CHECK(cudaMalloc(&values, count * sizeof(float)));
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  std::vector<float> rod(n);
  rod[n / 2] = 1;
  CHECK(cudaMemcpy(x, rod.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamSynchronize(nullptr));
  write_rows<<<1, 128, 0, stream>>>(n, offsets, columns, values);
  CHECK(cudaGetLastError());

  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t in, out;
  CHECK(cusparseCreate(&handle));
  CHECK(cusparseSetStream(handle, stream));
  CHECK(cusparseCreateCsr(&matrix, n, n, count, offsets, columns, values, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&in, n, x, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&out, n, y, CUDA_R_32F));
  const float one = 1, zero = 0;
  size_t bytes;
  void* work;
  CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero,
                                out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  CHECK(cudaMalloc(&work, bytes));
  for (int step = 0; step < steps; ++step) {
    CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out,
                       CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, work));
    CHECK(cudaMemcpyAsync(x, y, n * sizeof(float), cudaMemcpyDeviceToDevice, stream));
  }
  std::vector<float> result(n);
  CHECK(cudaMemcpyAsync(result.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));

  for (int step = 0; step < steps; ++step) {
    std::vector<float> next(n);
    for (int i = 0; i < n; ++i)
      next[i] = 0.5f * rod[i] + 0.25f * ((i > 0 ? rod[i - 1] : 0) + (i < n - 1 ? rod[i + 1] : 0));
    rod = next;
  }
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += std::fabs(result[i] - rod[i]) > 1e-6f;
  std::printf("%d wrong\n", wrong);
  CHECK(cusparseDestroySpMat(matrix));
  CHECK(cusparseDestroyDnVec(in));
  CHECK(cusparseDestroyDnVec(out));
  CHECK(cusparseDestroy(handle));
  CHECK(cudaStreamDestroy(stream));
  for (void* memory :
       {static_cast<void*>(offsets), static_cast<void*>(columns), static_cast<void*>(values),
        static_cast<void*>(x), static_cast<void*>(y), work})
    CHECK(cudaFree(memory));
  return wrong != 0;
}
