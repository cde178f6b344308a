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

// A thread for each column. Even threads add their column up, odd ones find its maximum.
__global__ void lanes_disagree(int n, int rows, const float* table, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float result = 0.0f;
  if (threadIdx.x % 2 == 0) {
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
  if (threadIdx.x / 32 % 2 == 0) {
    for (int row = 0; row < rows; ++row) result += table[row * n + i];
  } else {
    for (int row = 0; row < rows; ++row) result = fmaxf(result, table[row * n + i]);
  }
  out[i] = result;
}

int main() {
  const int n = 1 << 16, rows = 32, threads = 256;
  std::vector<float> table(rows * n), out(n);
  for (int i = 0; i < rows * n; ++i) table[i] = static_cast<float>(i % 1000);

  float *device_table, *device_out;
  CHECK(cudaMalloc(&device_table, table.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_out, out.size() * sizeof(float)));
  CHECK(
      cudaMemcpy(device_table, table.data(), table.size() * sizeof(float), cudaMemcpyHostToDevice));

  int wrong = 0;
  for (const int neighbours : {1, 32}) {  // so many of them take the same side
    const auto kernel = neighbours == 1 ? lanes_disagree : warps_disagree;
    kernel<<<(n + threads - 1) / threads, threads>>>(n, rows, device_table, device_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
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
