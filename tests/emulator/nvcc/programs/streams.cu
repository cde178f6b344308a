// Work cut into streams, with pinned memory, asynchronous copies, events and a host function.
#include <cstdio>
#include <cuda_runtime_api.h>

#define CHECK(call)                                                                       \
  if (cudaError_t e = (call); e != cudaSuccess) {                                         \
    std::fprintf(stderr, "%s failed in line %d: %s\n", #call, __LINE__, cudaGetErrorName(e)); \
    return 1;                                                                             \
  }

__global__ void square_all(int *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) data[i] *= data[i];
}

static void CUDART_CB count_call(void *counter) { ++*static_cast<int *>(counter); }

int main() {
  constexpr int kStreams = 4, kChunk = 1500, n = kStreams * kChunk;
  int *host, *device;
  CHECK(cudaMallocHost(&host, n * sizeof(int)));
  CHECK(cudaMalloc(&device, n * sizeof(int)));
  for (int i = 0; i < n; i++) host[i] = i % 1000 - 500;

  cudaStream_t streams[kStreams];
  cudaEvent_t begin, end, ready;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  int calls = 0;
  CHECK(cudaEventRecord(begin));
  for (int s = 0; s < kStreams; s++) {
    CHECK(s % 2 ? cudaStreamCreate(&streams[s]) : cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    int *h = host + s * kChunk, *d = device + s * kChunk;
    CHECK(cudaMemcpyAsync(d, h, kChunk * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
    square_all<<<3, 128, 0, streams[s]>>>(d, kChunk);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h, d, kChunk * sizeof(int), cudaMemcpyDeviceToHost, streams[s]));
    CHECK(cudaLaunchHostFunc(streams[s], count_call, &calls));
  }
  CHECK(cudaEventRecord(ready, streams[0]));
  CHECK(cudaStreamWaitEvent(streams[1], ready, 0));
  for (cudaStream_t stream : streams) CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, begin, end));

  int wrong = ms < 0 || calls != kStreams || cudaStreamQuery(streams[0]) != cudaSuccess;
  for (int i = 0; i < n; i++) wrong += host[i] != (i % 1000 - 500) * (i % 1000 - 500);
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  std::printf("streams: %d wrong\n", wrong);
  return wrong != 0;
}
