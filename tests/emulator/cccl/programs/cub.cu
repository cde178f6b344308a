// CUB: a warp's, a block's and the device's algorithms.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int kThreads = 128, kItems = 2;

/// Each block sorts its items, and adds up those below its own.
__global__ void sort_and_scan(const int* in, int* sorted, int* sums, int* of_warps) {
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using Scan = cub::BlockScan<int, kThreads>;
  using Warp = cub::WarpReduce<int>;
  __shared__ union {
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    typename Warp::TempStorage warp[kThreads / 32];
  } memory;

  const int first = (blockIdx.x * kThreads + threadIdx.x) * kItems;
  int items[kItems];
  for (int i = 0; i < kItems; ++i) items[i] = in[first + i];
  Sort(memory.sort).Sort(items);
  for (int i = 0; i < kItems; ++i) sorted[first + i] = items[i];
  __syncthreads();
  Scan(memory.scan).ExclusiveSum(items, items);
  for (int i = 0; i < kItems; ++i) sums[first + i] = items[i];
  __syncthreads();
  const int warp = threadIdx.x / 32;
  const int sum = Warp(memory.warp[warp]).Sum(threadIdx.x);
  if (threadIdx.x % 32 == 0) of_warps[blockIdx.x * (kThreads / 32) + warp] = sum;
}

int main() {
  constexpr int kBlocks = 3, kCount = kBlocks * kThreads * kItems;
  int *in, *sorted, *sums, *of_warps, *total;
  for (int** one : {&in, &sorted, &sums, &of_warps, &total})
    cudaMallocManaged(one, kCount * sizeof(int));
  for (int i = 0; i < kCount; ++i) in[i] = (i * 7919) % 1009;

  sort_and_scan<<<kBlocks, kThreads>>>(in, sorted, sums, of_warps);
  cudaDeviceSynchronize();
  bool is_right = true;
  for (int block = 0; block < kBlocks; ++block) {
    const int first = block * kThreads * kItems;
    std::vector<int> expected(in + first, in + first + kThreads * kItems);
    std::sort(expected.begin(), expected.end());
    int sum = 0;
    for (int i = 0; i < kThreads * kItems; ++i) {
      is_right &= sorted[first + i] == expected[i] && sums[first + i] == sum;
      sum += expected[i];
    }
  }
  for (int i = 0; i < kBlocks * kThreads / 32; ++i)
    is_right &= of_warps[i] == (i % 4 * 32 * 2 + 31) * 16;

  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, in, total, kCount);
  void* temporary;
  cudaMalloc(&temporary, bytes);
  const cudaError_t error = cub::DeviceReduce::Sum(temporary, bytes, in, total, kCount);
  cudaDeviceSynchronize();
  is_right &= error == cudaSuccess && *total == std::accumulate(in, in + kCount, 0);
  std::puts(is_right ? "right" : "wrong");
  cudaFree(temporary);
  for (int* one : {in, sorted, sums, of_warps, total}) cudaFree(one);
  return !is_right;
}
