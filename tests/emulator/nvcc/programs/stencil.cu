// Heat on a plate: a 5 x 5 stencil with its weights in constant memory and a halo in shared memory.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int kRadius = 2;
constexpr int kBlock = 16;
constexpr int kSide = kBlock + 2 * kRadius;

__constant__ float weights[2 * kRadius + 1][2 * kRadius + 1];
__constant__ int steps_done = 0;

struct Plate {
  int width, height;
  __host__ __device__ int clamp_x(int x) const { return x < 0 ? 0 : x >= width ? width - 1 : x; }
  __host__ __device__ int clamp_y(int y) const { return y < 0 ? 0 : y >= height ? height - 1 : y; }
  __host__ __device__ int index(int x, int y) const { return clamp_y(y) * width + clamp_x(x); }
};

__global__ void step(const float* in, float* out, const Plate plate) {
  __shared__ float tile[kSide][kSide];
  const int x0 = blockIdx.x * kBlock - kRadius, y0 = blockIdx.y * kBlock - kRadius;
  for (int y = threadIdx.y; y < kSide; y += kBlock)
    for (int x = threadIdx.x; x < kSide; x += kBlock) tile[y][x] = in[plate.index(x0 + x, y0 + y)];
  __syncthreads();
  const int x = blockIdx.x * kBlock + threadIdx.x, y = blockIdx.y * kBlock + threadIdx.y;
  if (x >= plate.width || y >= plate.height) return;
  float sum = 0;
  for (int j = 0; j <= 2 * kRadius; ++j)
    for (int i = 0; i <= 2 * kRadius; ++i) sum += weights[j][i] * tile[threadIdx.y + j][threadIdx.x + i];
  out[plate.index(x, y)] = sum;
}

int main() {
  const Plate plate{45, 37};
  const int n = plate.width * plate.height, steps = 4;
  float w[2 * kRadius + 1][2 * kRadius + 1];
  float total = 0;
  for (int j = 0; j <= 2 * kRadius; ++j)
    for (int i = 0; i <= 2 * kRadius; ++i) total += w[j][i] = 1.0f / (1 + std::abs(i - 2) + 2 * std::abs(j - 2));
  for (auto& row : w)
    for (float& value : row) value /= total;

  std::vector<float> expected(n), next(n), result(n);
  for (int i = 0; i < n; ++i) expected[i] = std::sin(0.1f * i) + (i % 17);

  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, expected.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, w, sizeof w);
  const dim3 block(kBlock, kBlock), grid((plate.width + kBlock - 1) / kBlock, (plate.height + kBlock - 1) / kBlock);
  for (int s = 0; s < steps; ++s) {
    step<<<grid, block>>>(a, b, plate);
    std::swap(a, b);
    for (int y = 0; y < plate.height; ++y)
      for (int x = 0; x < plate.width; ++x) {
        float sum = 0;
        for (int j = -kRadius; j <= kRadius; ++j)
          for (int i = -kRadius; i <= kRadius; ++i) sum += w[j + kRadius][i + kRadius] * expected[plate.index(x + i, y + j)];
        next[plate.index(x, y)] = sum;
      }
    expected.swap(next);
  }
  cudaMemcpyToSymbol(steps_done, &steps, sizeof steps);
  int done = 0;
  cudaMemcpyFromSymbol(&done, steps_done, sizeof done);
  cudaMemcpy(result.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = done != steps || cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < n; ++i) wrong += !(std::fabs(result[i] - expected[i]) < 1e-4f);
  std::printf("stencil: %d wrong\n", wrong);
  return wrong != 0;
}
