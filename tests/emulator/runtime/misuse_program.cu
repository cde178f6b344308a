// Makes one mistake, named on the command line, for misuse_test.cpp.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace {

constexpr std::size_t kBytes = 4096;

__global__ void fill(int* out) { out[threadIdx.x] = 42; }
__global__ void speak() { std::printf("a kernel speaks\n"); }

int* device_memory(std::size_t bytes = kBytes) {
  int* pointer = nullptr;
  cudaMalloc(&pointer, bytes);
  return pointer;
}

int* managed_memory() {
  int* pointer = nullptr;
  cudaMallocManaged(&pointer, kBytes);
  return pointer;
}

void read(const int* pointer) {
  std::printf("read %d\n", *const_cast<const volatile int*>(pointer));
}

void launch(int* pointer) {
  fill<<<1, 32>>>(pointer);
  cudaDeviceSynchronize();
}

__global__ void add_up(int* sum, const int* numbers, int count) {
  for (int i = 0; i < count; ++i) *sum += numbers[i];
}

/// What a graph does with memory that it allocates.
struct GraphUse {
  bool writes = true;       ///< all of it, before anything reads
  bool reads_late = false;  ///< when it is freed
  int count = 32;           ///< numbers that are read, of 32
};

/// Launches a graph twice, and prints the sum that it has got.
void use_in_graph(const GraphUse& use) {
  int *own = nullptr, *sum = nullptr;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&own, 32 * sizeof(int), stream);
  if (use.writes) fill<<<1, 32, 0, stream>>>(own);
  if (use.reads_late) cudaFreeAsync(own, stream);
  add_up<<<1, 1, 0, stream>>>(sum, own, use.count);
  if (!use.reads_late) cudaFreeAsync(own, stream);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, stream);
  int result = 0;
  cudaStreamSynchronize(stream);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(sum);
  std::printf("sum %d\n", result);
}

const std::map<std::string, std::function<void()>> kMisuses = {
    {"graph in order", [] { use_in_graph({}); }},
    {"graph reads late", [] { use_in_graph({.reads_late = true}); }},
    {"graph reads too far", [] { use_in_graph({.count = 33}); }},
    {"graph reads unwritten", [] { use_in_graph({.writes = false}); }},
    {"read after malloc", [] { read(device_memory()); }},
    {"write after malloc", [] { *const_cast<volatile int*>(device_memory()) = 1; }},
    {"read after copy",
     [] {
       int* const pointer = device_memory();
       const int value = 3;
       cudaMemcpy(pointer, &value, sizeof(value), cudaMemcpyHostToDevice);
       read(pointer);
     }},
    {"read after launch",
     [] {
       int* const pointer = device_memory();
       launch(pointer);
       read(pointer);
     }},
    {"read after free",
     [] {
       int* const pointer = managed_memory();
       cudaFree(pointer);
       read(pointer);
     }},
    {"read past the end", [] { read(managed_memory() + kBytes / sizeof(int)); }},
    {"read managed",
     [] {
       int* const pointer = managed_memory();
       launch(pointer);
       read(pointer);
     }},
    {"read pinned",
     [] {
       int* pointer = nullptr;
       cudaMallocHost(&pointer, kBytes);
       launch(pointer);
       read(pointer);
       read(pointer + 31);
     }},
    {"read registered",
     [] {
       static int numbers[kBytes];
       cudaHostRegister(numbers, sizeof(numbers), cudaHostRegisterDefault);
       launch(numbers);
       read(numbers);
     }},
    {"fresh memory",
     [] {
       unsigned char bytes[4] = {};
       cudaMemcpy(bytes, device_memory(), sizeof(bytes), cudaMemcpyDeviceToHost);
       std::printf("fresh %d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
     }},
    {"no wait", [] { speak<<<1, 1>>>(); }},
    {"no wait for two",
     [] {
       speak<<<1, 1>>>();
       speak<<<1, 1>>>();
     }},
    {"no wait for the last",
     [] {
       speak<<<1, 1>>>();
       cudaDeviceSynchronize();
       speak<<<1, 1>>>();
     }},
    {"no wait for a copy",
     [] { cudaMemcpyAsync(device_memory(), device_memory(), 4, cudaMemcpyDeviceToDevice); }},
    {"no wait, and an error",
     [] {
       speak<<<1, 1>>>();
       std::exit(3);
     }},
    {"no wait, but time",
     [] {
       speak<<<1, 1>>>();
       std::this_thread::sleep_for(std::chrono::seconds(2));
     }},
    {"too small a grid",
     [] {
       int* const pointer = device_memory();
       launch(pointer);
       static int numbers[kBytes / sizeof(int)];
       cudaMemcpy(numbers, pointer, sizeof(numbers), cudaMemcpyDeviceToHost);
       std::printf("%d %d\n", numbers[31], numbers[32]);
     }},
    {"a grid that is large enough",
     [] {
       int* const pointer = device_memory(32 * sizeof(int));
       launch(pointer);
       int numbers[32];
       cudaMemcpy(numbers, pointer, sizeof(numbers), cudaMemcpyDeviceToHost);
       std::printf("%d\n", numbers[31]);
     }},
    {"arguments of a captured launch",
     [] {
       cudaStream_t stream = nullptr;
       cudaGraph_t graph = nullptr;
       cudaGraphNode_t node = nullptr;
       std::size_t count = 1;
       cudaKernelNodeParams parameters{};
       cudaStreamCreate(&stream);
       cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
       fill<<<1, 1, 0, stream>>>(nullptr);
       cudaStreamEndCapture(stream, &graph);
       cudaGraphGetNodes(graph, &node, &count);
       cudaGraphKernelNodeGetParams(node, &parameters);
     }},
    {"array",
     [] {
       const cudaChannelFormatDesc format =
           cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsignedNormalized8X1);
       cudaArray_t array = nullptr;
       cudaMallocArray(&array, &format, 16, 16);
     }},
    {"ipc",
     [] {
       cudaIpcMemHandle_t handle;
       cudaIpcGetMemHandle(&handle, device_memory());
     }},
    {"event of a launch",
     [] {
       cudaLaunchAttribute attribute{};
       attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
       cudaLaunchConfig_t config{};
       config.gridDim = dim3(2);
       config.blockDim = dim3(32);
       config.attrs = &attribute;
       config.numAttrs = 1;
       cudaLaunchKernelEx(&config, fill, device_memory());
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const auto misuse = argc == 2 ? kMisuses.find(argv[1]) : kMisuses.end();
  if (misuse == kMisuses.end()) {
    std::fprintf(stderr, "usage: misuse_program NAME\n");
    return 2;
  }
  misuse->second();
  std::printf("lived\n");
}
