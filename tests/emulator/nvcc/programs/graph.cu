// Heat along a rod: forty steps in a captured graph, launched again and again, and one graph of nodes.
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#define CHECK(call)                                                                             \
  if (cudaError_t e = (call); e != cudaSuccess) {                                               \
    std::fprintf(stderr, "%s failed in line %d: %s\n", #call, __LINE__, cudaGetErrorName(e));   \
    return 1;                                                                                   \
  }

__global__ void step(const int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = (from[i > 0 ? i - 1 : 0] + 2 * from[i] + from[i + 1 < n ? i + 1 : n - 1]) / 4;
}

__global__ void largest(const int *in, int *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicMax(out, in[i]);
}

int main() {
  constexpr int n = 777, kSteps = 40, kLaunches = 5;
  std::vector<int> rod(n), next(n), result(n);
  for (int i = 0; i < n; i++) rod[i] = (i * 7919) % 1000000;
  int *a, *b, *most, hottest = -1;
  CHECK(cudaMalloc(&a, n * sizeof(int)));
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(cudaMalloc(&most, sizeof(int)));
  CHECK(cudaMemcpy(a, rod.data(), n * sizeof(int), cudaMemcpyHostToDevice));

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t steps;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int s = 0; s < kSteps; s++) step<<<(n + 127) / 128, 128, 0, stream>>>(s % 2 ? b : a, s % 2 ? a : b, n);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&steps, graph, NULL, NULL, 0));
  for (int l = 0; l < kLaunches; l++) CHECK(cudaGraphLaunch(steps, stream));
  CHECK(cudaMemcpyAsync(result.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int s = 0; s < kSteps * kLaunches; s++) {
    for (int i = 0; i < n; i++) next[i] = (rod[i > 0 ? i - 1 : 0] + 2 * rod[i] + rod[i + 1 < n ? i + 1 : n - 1]) / 4;
    std::swap(rod, next);
  }
  int wrong = 0, expected = 0;
  for (int i = 0; i < n; i++) wrong += result[i] != rod[i], expected = rod[i] > expected ? rod[i] : expected;

  cudaGraph_t nodes;
  cudaGraphExec_t search;
  cudaGraphNode_t clear, find, fetch;
  CHECK(cudaGraphCreate(&nodes, 0));
  cudaMemsetParams zero = {};
  zero.dst = most, zero.elementSize = 4, zero.width = 1, zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, nodes, NULL, 0, &zero));
  int size = n;
  void *arguments[] = {&a, &most, &size};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)largest, kernel.gridDim = dim3(1), kernel.blockDim = dim3(256);
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&find, nodes, &clear, 1, &kernel));
  CHECK(cudaGraphAddMemcpyNode1D(&fetch, nodes, &find, 1, &hottest, most, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaGraphInstantiate(&search, nodes, 0));
  CHECK(cudaGraphLaunch(search, stream));
  CHECK(cudaStreamSynchronize(stream));
  wrong += hottest != expected;

  CHECK(cudaGraphExecDestroy(steps));
  CHECK(cudaGraphExecDestroy(search));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(nodes));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(most));
  std::printf("graph: %d wrong\n", wrong);
  return wrong != 0;
}
