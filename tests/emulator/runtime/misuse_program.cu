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

const std::map<std::string, std::function<void()>> kMisuses = {
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
    {"dot of a graph",
     [] {
       cudaGraph_t graph = nullptr;
       cudaGraphCreate(&graph, 0);
       cudaGraphDebugDotPrint(graph, "graph.dot", 0);
     }},
    {"memory of a graph",
     [] {
       cudaStream_t stream = nullptr;
       void* memory = nullptr;
       cudaStreamCreate(&stream);
       cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
       cudaMallocAsync(&memory, 64, stream);
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
