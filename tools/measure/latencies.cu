/// Measures the latencies of an H200's memories and barriers in cycles, and prints them as JSON.
///
/// One thread follows a chain of indices, so that each load waits for the previous one; or a block
/// meets at a barrier repeatedly. The cost of a hit in L1 is a throughput: cycles per request of a
/// multiprocessor that is full of warps.

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "course/error.hpp"

namespace {

constexpr int kHops = 2000;
constexpr int kLineWords = 32;  // a chain has one element per line

/// Walks along a chain once to warm up the caches, then again with the clock running.
__global__ void follow(const unsigned* next, int hops, unsigned* end, long long* cycles) {
  unsigned at = 0;
  for (int hop = 0; hop < hops; ++hop) at = next[at];
  const long long begin = clock64();
  for (int hop = 0; hop < hops; ++hop) at = next[at];
  *cycles = clock64() - begin;
  *end = at;
}

__global__ void follow_shared(int hops, unsigned* end, long long* cycles) {
  constexpr int kLength = 1024;
  __shared__ unsigned next[kLength];
  for (int i = 0; i < kLength; ++i) next[i] = (i * 5 + 1) % kLength;
  unsigned at = 0;
  const long long begin = clock64();
  for (int hop = 0; hop < hops; ++hop) at = next[at];
  *cycles = clock64() - begin;
  *end = at;
}

__global__ void meet(int times, long long* cycles) {
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < times; ++i) __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

/// Each warp loads the same few lines again and again: every request is a hit in L1.
__global__ void hit(const float* lines, int times, float* end, long long* cycles) {
  constexpr int kAtOnce = 8;
  float sum = lines[threadIdx.x % kLineWords];
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < times; ++i) {
    float loaded[kAtOnce];
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j)
      loaded[j] = __ldca(lines + j * kLineWords + (threadIdx.x + i) % kLineWords);
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) sum += loaded[j];
  }
  __syncthreads();
  if (threadIdx.x == 0) *cycles = (clock64() - begin) / kAtOnce;
  end[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void nothing() {}

/// Measures a kernel's cycles per repetition of its loop, which runs `times` times.
class Clock {
 public:
  Clock() { course::check(cudaMallocManaged(&cycles_, sizeof *cycles_)); }
  ~Clock() { cudaFree(cycles_); }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  long long* cycles() { return cycles_; }
  double per(double times) const {
    course::check(cudaDeviceSynchronize());
    return static_cast<double>(*cycles_) / times;
  }

 private:
  long long* cycles_ = nullptr;
};

/// Returns the cycles of a load from a chain through `bytes` bytes, in random order.
double chain_cycles(std::size_t bytes) {
  const std::size_t lines = bytes / (kLineWords * sizeof(unsigned));
  std::vector<unsigned> order(lines), next(lines * kLineWords);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  for (std::size_t i = 0; i < lines; ++i)
    next[std::size_t(order[i]) * kLineWords] = order[(i + 1) % lines] * kLineWords;
  unsigned *chain = nullptr, *end = nullptr;
  course::check(cudaMalloc(&chain, next.size() * sizeof(unsigned)));
  course::check(cudaMalloc(&end, sizeof(unsigned)));
  course::check(cudaMemcpy(chain, next.data(), next.size() * sizeof(unsigned), cudaMemcpyDefault));
  const int hops = static_cast<int>(std::min<std::size_t>(lines, 20000));
  Clock clock;
  follow<<<1, 1>>>(chain, hops, end, clock.cycles());
  const double cycles = clock.per(hops);
  course::check(cudaFree(chain));
  course::check(cudaFree(end));
  return cycles;
}

double shared_cycles() {
  unsigned* end = nullptr;
  course::check(cudaMalloc(&end, sizeof(unsigned)));
  Clock clock;
  follow_shared<<<1, 1>>>(kHops, end, clock.cycles());
  const double cycles = clock.per(kHops);
  course::check(cudaFree(end));
  return cycles;
}

double barrier_cycles(int threads) {
  Clock clock;
  meet<<<1, threads>>>(kHops, clock.cycles());
  return clock.per(kHops);
}

double l1_hit_cycles() {
  constexpr int kThreads = 1024, kWarps = kThreads / 32;
  float *lines = nullptr, *end = nullptr;
  course::check(cudaMalloc(&lines, 8 * kLineWords * sizeof(float)));
  course::check(cudaMemset(lines, 0, 8 * kLineWords * sizeof(float)));
  course::check(cudaMalloc(&end, kThreads * sizeof(float)));
  Clock clock;
  hit<<<1, kThreads>>>(lines, kHops, end, clock.cycles());
  const double cycles = clock.per(static_cast<double>(kHops) * kWarps);
  course::check(cudaFree(lines));
  course::check(cudaFree(end));
  return cycles;
}

/// Returns the microseconds per kernel in a graph of empty kernels.
double launch_us(int multiprocessors) {
  constexpr int kLaunches = 200;
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t runnable{};
  cudaEvent_t begin{}, end{};
  course::check(cudaStreamCreate(&stream));
  course::check(cudaEventCreate(&begin));
  course::check(cudaEventCreate(&end));
  course::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < kLaunches; ++i) nothing<<<multiprocessors, 128, 0, stream>>>();
  course::check(cudaStreamEndCapture(stream, &graph));
  course::check(cudaGraphInstantiate(&runnable, graph, 0));
  for (int i = 0; i < 2; ++i) {
    course::check(cudaEventRecord(begin, stream));
    course::check(cudaGraphLaunch(runnable, stream));
    course::check(cudaEventRecord(end, stream));
    course::check(cudaStreamSynchronize(stream));
  }
  float ms = 0.0f;
  course::check(cudaEventElapsedTime(&ms, begin, end));
  return 1000.0 * ms / kLaunches;
}

}  // namespace

int main() {
  constexpr std::size_t kKiB = 1024, kMiB = 1024 * kKiB;
  constexpr double kCyclesPerUs = 1980.0;
  cudaDeviceProp device{};
  course::check(cudaGetDeviceProperties(&device, 0));
  std::printf(
      "{\"l1_cycles\": %.1f, \"l2_cycles\": %.1f, \"dram_cycles\": %.1f, "
      "\"shared_cycles\": %.1f, \"barrier_cycles\": %.1f, \"l1_hit_cycles\": %.3f, "
      "\"launch_cycles\": %.0f}\n",
      chain_cycles(16 * kKiB), chain_cycles(24 * kMiB), chain_cycles(1024 * kMiB), shared_cycles(),
      barrier_cycles(128), l1_hit_cycles(), kCyclesPerUs * launch_us(device.multiProcessorCount));
}
