// A histogram of chapter 00's picture, counted in two ways: a whole CUDA program.
//
//     ./course nvcc chapters/08_warp_primitives/alone.cu -o count && ./course profile ./count
//     nvcc chapters/08_warp_primitives/alone.cu -o count && ./count

#include <cmath>
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

constexpr int kWidth = 240, kHeight = 200, kMost = 200;

// Every thread counts its own pixel.
__global__ void count_each(int n, const int* steps, int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[steps[i]], 1);
}

// Lanes with the same number of steps find each other, and the lowest of them counts for all.
__global__ void count_together(int n, const int* steps, int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned here = __ballot_sync(0xffffffff, i < n);
  if (i >= n) return;
  const int step = steps[i], lane = threadIdx.x % 32;
  const unsigned equals = __match_any_sync(here, step);
  if (lane == __ffs(equals) - 1) atomicAdd(&counts[step], __popc(equals));
}

// How many steps it takes the point of a pixel to run away.
int steps_of(int col, int row) {
  const float c_x = 3.0f / kWidth * col - 2.25f, c_y = 2.5f / kHeight * row - 1.25f;
  float x = 0.0f, y = 0.0f;
  int step = 0;
  for (; step < kMost && x * x + y * y <= 4.0f; ++step) {
    const float next_x = x * x - y * y + c_x;
    y = 2 * x * y + c_y;
    x = next_x;
  }
  return step;
}

int main() {
  const int n = kWidth * kHeight, kinds = kMost + 1, threads = 256;
  std::vector<int> steps, expected(kinds), counts(kinds);
  for (int i = 0; i < n; ++i) {
    steps.push_back(steps_of(i % kWidth, i / kWidth));
    ++expected[steps.back()];
  }

  int *device_steps, *device_counts, wrong = 0;
  CHECK(cudaMalloc(&device_steps, n * sizeof(int)));
  CHECK(cudaMalloc(&device_counts, kinds * sizeof(int)));
  CHECK(cudaMemcpy(device_steps, steps.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  for (auto kernel : {count_each, count_together}) {
    CHECK(cudaMemset(device_counts, 0, kinds * sizeof(int)));
    kernel<<<(n + threads - 1) / threads, threads>>>(n, device_steps, device_counts);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(counts.data(), device_counts, kinds * sizeof(int), cudaMemcpyDeviceToHost));
    for (int kind = 0; kind < kinds; ++kind) wrong += counts[kind] != expected[kind];
  }
  std::printf("%d pixels, %d of them never leave; %d wrong counts\n", n, counts[kMost], wrong);

  CHECK(cudaFree(device_steps));
  CHECK(cudaFree(device_counts));
  return wrong != 0;
}
