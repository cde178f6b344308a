// A plain CUDA program with enough blocks for several worker threads.
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <vector>

__global__ void add_three(int n, const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3;
}

int main() {
  constexpr int kSize = 1 << 20;
  int* in = nullptr;
  int* out = nullptr;
  cudaMalloc(&in, kSize * sizeof(int));
  cudaMalloc(&out, kSize * sizeof(int));
  cudaMemset(in, 0, kSize * sizeof(int));
  add_three<<<kSize / 256, 256>>>(kSize, in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::error_code none;
  const std::filesystem::directory_iterator tasks("/proc/self/task", none);
  const bool several = none || std::distance(tasks, {}) > 1;
  std::vector<int> result(kSize);
  if (cudaMemcpy(result.data(), out, kSize * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) {
    return 1;
  }
  long sum = 0;
  for (const int value : result) sum += value;
  std::printf("sum %ld, several threads: %s\n", sum, several ? "yes" : "no");
}
