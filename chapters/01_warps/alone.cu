// The same sums and the same maxima, twice: once the lanes of a warp disagree about a branch, once
// they agree. What that costs is counted line by line:
//
//     ./course nvcc chapters/01_warps/alone.cu -o branch && ./branch && ./course profile ./branch
//     nvcc chapters/01_warps/alone.cu -o branch && ./branch         with a GPU

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program if a CUDA call fails, and says where and why.
#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (false)

// So many neighbours take the same side of the branch, then as many the other one.
constexpr int kFew = 1, kMany = 32;

// A thread for each column. Even threads add their column up, odd ones find its maximum.
__global__ void lanes_disagree(int n, int rows, const float* table, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float result = 0.0f;
  if (threadIdx.x / kFew % 2 == 0) {
    for (int row = 0; row < rows; ++row) result += table[row * n + i];
  } else {
    for (int row = 0; row < rows; ++row) result = fmaxf(result, table[row * n + i]);
  }
  out[i] = result;
}

// The same, but 32 neighbours add, and the next 32 find maxima.
__global__ void warps_disagree(int n, int rows, const float* table, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float result = 0.0f;
  if (threadIdx.x / kMany % 2 == 0) {
    for (int row = 0; row < rows; ++row) result += table[row * n + i];
  } else {
    for (int row = 0; row < rows; ++row) result = fmaxf(result, table[row * n + i]);
  }
  out[i] = result;
}

int main() {
  const int n = 1 << 16, rows = 32;
  const std::size_t table_bytes = sizeof(float) * rows * n, out_bytes = sizeof(float) * n;
  std::vector<float> table(rows * n), out(n);
  for (int i = 0; i < rows * n; ++i) table[i] = static_cast<float>(i % 1000);

  float *device_table, *device_out;
  CHECK(cudaMalloc(&device_table, table_bytes));
  CHECK(cudaMalloc(&device_out, out_bytes));
  CHECK(cudaMemcpy(device_table, table.data(), table_bytes, cudaMemcpyHostToDevice));

  int wrong = 0;
  for (const int neighbours : {kFew, kMany}) {
    const auto kernel = neighbours == kFew ? lanes_disagree : warps_disagree;
    kernel<<<(n + 255) / 256, 256>>>(n, rows, device_table, device_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), device_out, out_bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
      float expected = 0.0f;
      for (int row = 0; row < rows; ++row) {
        const float value = table[row * n + i];
        expected = i / neighbours % 2 == 0 ? expected + value : std::max(expected, value);
      }
      wrong += out[i] != expected;
    }
  }
  std::printf("%d columns, twice: %d wrong\n", n, wrong);
  CHECK(cudaFree(device_table));
  CHECK(cudaFree(device_out));
  return wrong != 0;
}
