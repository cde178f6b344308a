// Sums by shuffles and by cooperative groups, which must agree with the host and each other.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

__device__ int warp_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xFFFFFFFFu, value, offset);
  }
  return value;
}

__global__ void sum_by_shuffles(const int* in, int n, int* out) {
  __shared__ int partial[32];
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += in[i];
  value = warp_sum(value);
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int warps = (blockDim.x + warpSize - 1) / warpSize;
    value = warp_sum(lane < warps ? partial[lane] : 0);
    if (lane == 0) atomicAdd(out, value);
  }
}

template <unsigned int kSize>
__global__ void sum_by_groups(const int* in, int n, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kSize>(block);
  int value = 0;
  const int first = blockIdx.x * block.size() + block.thread_rank();
  for (int i = first; i < n; i += gridDim.x * block.size()) value += in[i];
  const int sum = cg::reduce(tile, value, cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(out, sum);
  block.sync();
}

// The pairwise tree in shared memory that slides of old show, volatile warp included.
__global__ void sum_by_tree(const int* in, int n, int* out) {
  extern __shared__ int scratch[];
  const int t = threadIdx.x, width = blockDim.x, i = blockIdx.x * width * 2 + t;
  scratch[t] = (i < n ? in[i] : 0) + (i + width < n ? in[i + width] : 0);
  __syncthreads();
  for (int s = width / 2; s > 0; s >>= 1) {
    if (t < s) scratch[t] += scratch[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, scratch[0]);
}

int main() {
  const int n = 30'011;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = (i * 7919) % 1013 - 500;
  const int expected = std::accumulate(in.begin(), in.end(), 0);

  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, 6 * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, 6 * sizeof(int));
  sum_by_shuffles<<<5, 256>>>(d_in, n, d_out);
  sum_by_groups<32><<<4, 128>>>(d_in, n, d_out + 1);
  sum_by_groups<8><<<3, 96>>>(d_in, n, d_out + 2);
  sum_by_groups<1><<<3, 64>>>(d_in, n, d_out + 3);
  const int threads = 128, blocks = (n + 2 * threads - 1) / (2 * threads);
  sum_by_tree<<<blocks, threads, threads * sizeof(int)>>>(d_in, n, d_out + 4);
  void (*chosen)(const int*, int, int*) = n > 3 ? sum_by_groups<16> : sum_by_groups<4>;
  chosen<<<2, 64>>>(d_in, n, d_out + 5);

  int out[6];
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  for (const int sum : out) wrong += sum != expected;
  std::printf("reduction: %d wrong\n", wrong);
  return wrong != 0;
}
