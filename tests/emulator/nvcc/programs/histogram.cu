// Histogram of bytes: one private histogram per block in shared memory, merged with atomics.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kBins = 256;

__device__ unsigned long long launches;  // how many blocks have run

__device__ __forceinline__ void count(unsigned int* bins, std::uint32_t four_bytes) {
#pragma unroll 4
  for (int shift = 0; shift < 32; shift += 8) atomicAdd(&bins[(four_bytes >> shift) & 0xFFu], 1u);
}

__global__ void histogram(const std::uint32_t* data, int words, unsigned int* bins) {
  __shared__ unsigned int local[kBins];
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) local[i] = 0;
  __syncthreads();
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) count(local, data[i]);
  __syncthreads();
  for (int i = threadIdx.x; i < kBins; i += blockDim.x) {
    if (local[i] != 0) atomicAdd(bins + i, local[i]);
  }
  if (threadIdx.x == 0) atomicAdd(&launches, 1ull);
}

__global__ void extremes(const unsigned int* bins, unsigned int* lowest, unsigned int* highest) {
  atomicMin(lowest, bins[threadIdx.x]);
  atomicMax(highest, bins[threadIdx.x]);
}

int main() {
  const int words = 50'000, blocks = 7;
  std::vector<std::uint32_t> data(words);
  std::vector<unsigned int> expected(kBins, 0);
  std::uint32_t state = 12345;
  for (auto& word : data) {
    state = state * 1664525u + 1013904223u;
    word = state & (state >> 7);
    for (int shift = 0; shift < 32; shift += 8) ++expected[(word >> shift) & 0xFF];
  }
  std::uint32_t* d_data;
  unsigned int *d_bins, *d_extremes;
  cudaMalloc(&d_data, words * sizeof *d_data);
  cudaMalloc(&d_bins, kBins * sizeof *d_bins);
  cudaMalloc(&d_extremes, 2 * sizeof *d_extremes);
  cudaMemcpy(d_data, data.data(), words * sizeof *d_data, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, kBins * sizeof *d_bins);
  const unsigned int start[2] = {~0u, 0u};
  cudaMemcpy(d_extremes, start, sizeof start, cudaMemcpyHostToDevice);

  histogram<<<blocks, 192>>>(d_data, words, d_bins);
  extremes<<<1, kBins>>>(d_bins, d_extremes, d_extremes + 1);

  std::vector<unsigned int> bins(kBins);
  unsigned int found[2];
  unsigned long long ran = 0;
  cudaMemcpy(bins.data(), d_bins, kBins * sizeof *d_bins, cudaMemcpyDeviceToHost);
  cudaMemcpy(found, d_extremes, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&ran, launches, sizeof ran);

  int wrong = ran != blocks;
  unsigned int lowest = ~0u, highest = 0;
  for (int i = 0; i < kBins; ++i) {
    wrong += bins[i] != expected[i];
    lowest = expected[i] < lowest ? expected[i] : lowest;
    highest = expected[i] > highest ? expected[i] : highest;
  }
  wrong += found[0] != lowest || found[1] != highest || cudaDeviceSynchronize() != cudaSuccess;
  std::printf("histogram: %d wrong\n", wrong);
  return wrong != 0;
}
