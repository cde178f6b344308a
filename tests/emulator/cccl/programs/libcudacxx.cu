// libcu++: atomics, a barrier, a pipeline and asynchronous copies.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/tuple>

namespace groups = cooperative_groups;

constexpr int kThreads = 64, kStages = 2;

__global__ void add_tiles(const int* in, int tiles, int* out, int* arrived) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int stages[kStages][kThreads];
  const auto block = groups::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, kThreads);
  block.sync();

  auto pipeline = cuda::make_pipeline(block, &state);
  auto sums = cuda::std::make_tuple(0, threadIdx.x);
  for (int tile = 0, asked = 0; tile < tiles; ++tile) {
    for (; asked < tiles && asked < tile + kStages; ++asked) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stages[asked % kStages], in + asked * kThreads,
                         cuda::aligned_size_t<16>(sizeof stages[0]), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    barrier.arrive_and_wait();
    cuda::std::get<0>(sums) += stages[tile % kStages][kThreads - 1 - threadIdx.x];
    barrier.arrive_and_wait();
    pipeline.consumer_release();
  }
  out[cuda::std::get<1>(sums)] = cuda::std::get<0>(sums);
  cuda::atomic_ref<int, cuda::thread_scope_device>(*arrived).fetch_add(
      1, cuda::std::memory_order_relaxed);
}

int main() {
  constexpr int kTiles = 5;
  int *in, *out, *arrived;
  cudaMallocManaged(&in, kTiles * kThreads * sizeof(int));
  cudaMallocManaged(&out, kThreads * sizeof(int));
  cudaMallocManaged(&arrived, sizeof(int));
  for (int i = 0; i < kTiles * kThreads; ++i) in[i] = i;
  *arrived = 0;
  add_tiles<<<1, kThreads>>>(in, kTiles, out, arrived);
  const cudaError_t error = cudaDeviceSynchronize();
  bool is_right = error == cudaSuccess && *arrived == kThreads;
  for (int i = 0; i < kThreads; ++i) {
    int expected = 0;
    for (int tile = 0; tile < kTiles; ++tile) expected += tile * kThreads + kThreads - 1 - i;
    is_right &= out[i] == expected;
  }
  std::puts(is_right ? "right" : "wrong");
  for (int* one : {in, out, arrived}) cudaFree(one);
  return !is_right;
}
