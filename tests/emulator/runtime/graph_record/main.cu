// Asks CUDA about graphs, one section of questions in a process: graph_record SECTION. The answers
// of an H200, with driver 580 and CUDA 13.0, are in recorded_h200.txt.
#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <vector>

#include "answers.hpp"

namespace graph_record {

int* device = nullptr;
cudaStream_t stream = nullptr;

void ask(const char* call, cudaError_t answer) {
  std::printf("%s: %s\n", call, cudaGetErrorName(answer));
  cudaGetLastError();
}

void say(const char* format, ...) {
  va_list values;
  va_start(values, format);
  std::vprintf(format, values);
  va_end(values);
  std::printf("\n");
}

void say_memory(const char* when) {
  constexpr cudaGraphMemAttributeType kAttributes[] = {
      cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrUsedMemHigh,
      cudaGraphMemAttrReservedMemCurrent, cudaGraphMemAttrReservedMemHigh};
  unsigned long long bytes[4] = {};
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 4 && error == cudaSuccess; ++i)
    error = cudaDeviceGetGraphMemAttribute(0, kAttributes[i], &bytes[i]);
  say("memory %-50s used %llu high %llu reserved %llu high %llu (%s)", when, bytes[0], bytes[1],
      bytes[2], bytes[3], cudaGetErrorName(error));
}

void say_update(cudaGraphExec_t executable, cudaGraph_t graph, const char* what) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  cudaGetLastError();
  std::size_t count = 0;
  cudaGraphGetNodes(graph, nullptr, &count);
  std::vector<cudaGraphNode_t> nodes(count);
  cudaGraphGetNodes(graph, nodes.data(), &count);
  const auto place = [&](cudaGraphNode_t node) {
    for (std::size_t i = 0; i < count; ++i)
      if (nodes[i] == node) return static_cast<int>(i);
    return node ? -2 : -1;
  };
  say("update: %-60s %s result %d node %d from %d", what, cudaGetErrorName(error),
      static_cast<int>(info.result), place(info.errorNode), place(info.errorFromNode));
}

int value() {
  int number = -1;
  cudaDeviceSynchronize();
  cudaMemcpy(&number, device, sizeof(number), cudaMemcpyDeviceToHost);
  return number;
}

void set_value(int number) { cudaMemcpy(device, &number, sizeof(number), cudaMemcpyHostToDevice); }

cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  return graph;
}

cudaMemAllocNodeParams allocation_of(std::size_t bytes) {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = bytes;
  return parameters;
}

cudaKernelNodeParams launch_of(void* kernel, void** arguments) {
  cudaKernelNodeParams parameters{};
  parameters.func = kernel;
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  return parameters;
}

}  // namespace graph_record

using namespace graph_record;

int main(int count, char** arguments) {
  struct Section {
    const char* name;
    void (*run)();
  };
  const Section sections[] = {
      {"memory_nodes", memory_nodes}, {"alloc_and_free_in_one", alloc_and_free_in_one},
      {"outlives", outlives},         {"capture_memory", capture_memory},
      {"many_sizes", many_sizes},     {"moved_child", moved_child},
      {"conditions", conditions},     {"conditions_values", conditions_values},
      {"capture_info", capture_info}, {"parameters", parameters},
      {"attributes", attributes},     {"edges", edges},
      {"updates", updates},           {"user_objects", user_objects},
  };
  if (count != 2 || cudaMalloc(&device, 4096) != cudaSuccess ||
      cudaStreamCreate(&stream) != cudaSuccess)
    return 2;
  set_value(0);
  for (const Section& section : sections)
    if (std::string_view(arguments[1]) == section.name) section.run();
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
}
