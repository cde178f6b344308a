// What nodes of graphs do: memory, conditions, events, and parameters that change. This file uses
// the runtime API alone, and passes on an H200 as it does here; graph_record_test.cpp compares
// answers call by call.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cuda_error_text.hpp"

namespace {

constexpr int kNumbers = 256;

__device__ int scale;
__device__ int table[4];

__global__ void add_to(int* to, int value) { *to += value; }
__global__ void fill_with(int* to, int value) { to[threadIdx.x] = value; }
__global__ void sum_of(int* sum, const int* numbers) { atomicAdd(sum, numbers[threadIdx.x]); }
__global__ void scale_by(int* by) { *by *= scale; }
__global__ void count_blocks(int* count) {
  atomicAdd(count, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) *count *= 10;
}
__global__ void step_down(int* left, cudaGraphConditionalHandle handle) {
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0 ? 1 : 0);
}
__global__ void choose(const int* number, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(*number));
}

/// A graph, its executable and numbers on the device; everything ends with it.
class Bench {
 public:
  Bench() {
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(cudaMalloc(&numbers, kNumbers * sizeof(int)) == cudaSuccess);
    REQUIRE(cudaMemset(numbers, 0, kNumbers * sizeof(int)) == cudaSuccess);
  }
  ~Bench() {
    if (executable) CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaFree(numbers) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    cudaGetLastError();
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  template <class... Arguments>
  cudaGraphNode_t add_kernel(void* kernel, const std::vector<cudaGraphNode_t>& after,
                             Arguments... arguments) {
    return add_kernel_to(graph, kernel, after, 1, arguments...);
  }
  template <class... Arguments>
  cudaGraphNode_t add_kernel_to(cudaGraph_t to, void* kernel,
                                const std::vector<cudaGraphNode_t>& after, int threads,
                                Arguments... arguments) {
    void* list[] = {&arguments...};
    cudaKernelNodeParams parameters{};
    parameters.func = kernel;
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(threads);
    parameters.kernelParams = list;
    cudaGraphNode_t node = nullptr;
    CHECK(cudaGraphAddKernelNode(&node, to, after.data(), after.size(), &parameters) ==
          cudaSuccess);
    return node;
  }

  void instantiate(unsigned long long flags = 0) {
    REQUIRE(cudaGraphInstantiateWithFlags(&executable, graph, flags) == cudaSuccess);
  }
  void launch() {
    CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  }
  int number(int index = 0) const {
    int value = -1;
    REQUIRE(cudaMemcpy(&value, numbers + index, sizeof(value), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return value;
  }
  void set_number(int value) {
    REQUIRE(cudaMemcpy(numbers, &value, sizeof(value), cudaMemcpyHostToDevice) == cudaSuccess);
  }

  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  int* numbers = nullptr;  // [kNumbers], on the device
};

cudaMemAllocNodeParams allocation_of(std::size_t bytes) {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = bytes;
  return parameters;
}

/// Adds a conditional node; the graphs are those that it chooses from.
std::vector<cudaGraph_t> add_condition(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                                       cudaGraphConditionalNodeType type, unsigned size,
                                       const std::vector<cudaGraphNode_t>& after) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &parameters) ==
          cudaSuccess);
  return {parameters.conditional.phGraph_out, parameters.conditional.phGraph_out + size};
}

}  // namespace

TEST_CASE("memory of a graph: there between its nodes, for copies, fills and kernels") {
  Bench bench;
  cudaMemAllocNodeParams memory = allocation_of(kNumbers * sizeof(int));
  cudaGraphNode_t allocation, copy, release;
  REQUIRE(cudaGraphAddMemAllocNode(&allocation, bench.graph, nullptr, 0, &memory) == cudaSuccess);
  int* const own = static_cast<int*>(memory.dptr);
  const auto fill = bench.add_kernel_to(bench.graph, reinterpret_cast<void*>(fill_with),
                                        {allocation}, kNumbers, own, 3);
  const auto sum = bench.add_kernel_to(bench.graph, reinterpret_cast<void*>(sum_of), {fill},
                                       kNumbers, bench.numbers, static_cast<const int*>(own));
  REQUIRE(cudaGraphAddMemcpyNode1D(&copy, bench.graph, &sum, 1, bench.numbers + 1, own + 7,
                                   sizeof(int), cudaMemcpyDeviceToDevice) == cudaSuccess);
  REQUIRE(cudaGraphAddMemFreeNode(&release, bench.graph, &copy, 1, own) == cudaSuccess);
  bench.instantiate();
  for (int launches = 1; launches <= 3; ++launches) {
    bench.launch();
    CHECK(bench.number() == 3 * kNumbers * launches);
    CHECK(bench.number(1) == 3);
    CHECK(cudaMemset(own, 0, 4) == cudaErrorInvalidValue);  // it is freed again
  }
  // Many launches in a row, before anybody waits.
  for (int i = 0; i < 5; ++i) CHECK(cudaGraphLaunch(bench.executable, bench.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(bench.stream) == cudaSuccess);
  CHECK(bench.number() == 3 * kNumbers * 8);
}

TEST_CASE("memory that a graph leaves is the program's until something frees it") {
  Bench bench;
  cudaMemAllocNodeParams memory = allocation_of(kNumbers * sizeof(int));
  cudaGraphNode_t allocation;
  REQUIRE(cudaGraphAddMemAllocNode(&allocation, bench.graph, nullptr, 0, &memory) == cudaSuccess);
  int* const own = static_cast<int*>(memory.dptr);
  bench.add_kernel_to(bench.graph, reinterpret_cast<void*>(fill_with), {allocation}, kNumbers, own,
                      5);
  bench.instantiate();
  // Calls behind the launch use the memory in the stream's order, without waiting.
  CHECK(cudaGraphLaunch(bench.executable, bench.stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(bench.numbers, own, 40, cudaMemcpyDeviceToDevice, bench.stream) ==
        cudaSuccess);
  CHECK(cudaFreeAsync(own, bench.stream) == cudaSuccess);
  CHECK(cudaGraphLaunch(bench.executable, bench.stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(own + 1, 0, sizeof(int), bench.stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(bench.numbers + 20, own, 40, cudaMemcpyDeviceToDevice, bench.stream) ==
        cudaSuccess);
  CHECK(cudaFreeAsync(own, bench.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(bench.stream) == cudaSuccess);
  CHECK(bench.number(9) == 5);
  CHECK(bench.number(20) == 5);
  CHECK(bench.number(21) == 0);
  // It outlives its graph.
  CHECK(cudaGraphLaunch(bench.executable, bench.stream) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(bench.executable) == cudaSuccess);
  bench.executable = nullptr;
  CHECK(cudaMemcpyAsync(bench.numbers, own + 2, 4, cudaMemcpyDeviceToDevice, bench.stream) ==
        cudaSuccess);
  CHECK(cudaStreamSynchronize(bench.stream) == cudaSuccess);
  CHECK(bench.number() == 5);
  CHECK(cudaFree(own) == cudaSuccess);
}

TEST_CASE("captured allocations are nodes, and an executable frees what it has left") {
  Bench bench;
  int* own = nullptr;
  cudaGraph_t captured = nullptr;
  REQUIRE(cudaStreamBeginCapture(bench.stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMallocAsync(&own, kNumbers * sizeof(int), bench.stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(own, 0, kNumbers * sizeof(int), bench.stream) == cudaSuccess);
  CHECK(cudaMemset2DAsync(own, sizeof(int), 1, 2, kNumbers, bench.stream) == cudaSuccess);
  sum_of<<<1, kNumbers, 0, bench.stream>>>(bench.numbers, own);
  REQUIRE(cudaStreamEndCapture(bench.stream, &captured) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, captured, cudaGraphInstantiateFlagAutoFreeOnLaunch) ==
          cudaSuccess);
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(executable, bench.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(bench.stream) == cudaSuccess);
  CHECK(bench.number() == 3 * kNumbers * 0x0101);
  CHECK(cudaFree(own) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(captured) == cudaSuccess);
}

TEST_CASE("conditional nodes within one another: WHILE, SWITCH, IF with ELSE") {
  Bench bench;
  cudaGraphConditionalHandle loop, kind, parity;
  REQUIRE(cudaGraphConditionalHandleCreate(&loop, bench.graph, 1, cudaGraphCondAssignDefault) ==
          cudaSuccess);
  REQUIRE(cudaGraphConditionalHandleCreate(&kind, bench.graph) == cudaSuccess);
  REQUIRE(cudaGraphConditionalHandleCreate(&parity, bench.graph) == cudaSuccess);
  int* const left = bench.numbers;
  // While *left > 0: left 2 adds 1 to numbers[1], left 1 adds 10, left 0 adds 100, others nothing.
  const cudaGraph_t body = add_condition(bench.graph, loop, cudaGraphCondTypeWhile, 1, {})[0];
  const auto step =
      bench.add_kernel_to(body, reinterpret_cast<void*>(step_down), {}, 1, left, loop);
  const auto chosen = bench.add_kernel_to(body, reinterpret_cast<void*>(choose), {step}, 1,
                                          static_cast<const int*>(left), kind);
  const auto cases = add_condition(body, kind, cudaGraphCondTypeSwitch, 3, {chosen});
  bench.add_kernel_to(cases[2], reinterpret_cast<void*>(add_to), {}, 1, bench.numbers + 1, 1);
  bench.add_kernel_to(cases[1], reinterpret_cast<void*>(add_to), {}, 1, bench.numbers + 1, 10);
  bench.add_kernel_to(cases[0], reinterpret_cast<void*>(add_to), {}, 1, bench.numbers + 1, 100);
  // In the last case, another condition, which is captured: numbers[2] is 0 at first.
  cudaGraph_t same = nullptr;
  REQUIRE(cudaStreamBeginCaptureToGraph(bench.stream, cases[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal) == cudaSuccess);
  choose<<<1, 1, 0, bench.stream>>>(bench.numbers + 2, parity);
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* dependencies = nullptr;
  std::size_t count = 0;
  REQUIRE(cudaStreamGetCaptureInfo(bench.stream, &status, nullptr, &same, &dependencies, nullptr,
                                   &count) == cudaSuccess);
  CHECK(same == cases[0]);
  REQUIRE(count == 1);
  const auto halves = add_condition(same, parity, cudaGraphCondTypeIf, 2, {dependencies[0]});
  REQUIRE(cudaStreamEndCapture(bench.stream, nullptr) == cudaSuccess);
  bench.add_kernel_to(halves[0], reinterpret_cast<void*>(add_to), {}, 1, bench.numbers + 2, 7);
  bench.add_kernel_to(halves[1], reinterpret_cast<void*>(add_to), {}, 1, bench.numbers + 2, 1);
  bench.instantiate();

  bench.set_number(5);
  bench.launch();
  CHECK(bench.number() == 0);
  CHECK(bench.number(1) == 111);
  CHECK(bench.number(2) == 1);
  bench.set_number(2);
  bench.launch();
  CHECK(bench.number(1) == 221);
  CHECK(bench.number(2) == 8);
}

TEST_CASE("a condition may come first in a capture, and what is behind it") {
  Bench bench;
  bench.set_number(3);
  cudaGraph_t captured = nullptr;
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* dependencies = nullptr;
  std::size_t count = 0;
  REQUIRE(cudaStreamBeginCapture(bench.stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  REQUIRE(cudaStreamGetCaptureInfo(bench.stream, &status, nullptr, &captured, &dependencies,
                                   nullptr, &count) == cudaSuccess);
  cudaGraphConditionalHandle handle;
  REQUIRE(cudaGraphConditionalHandleCreate(&handle, captured, 1, cudaGraphCondAssignDefault) ==
          cudaSuccess);
  cudaGraphNodeParams loop = {};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddNode(&node, captured, dependencies, nullptr, count, &loop) == cudaSuccess);
  bench.add_kernel_to(loop.conditional.phGraph_out[0], reinterpret_cast<void*>(step_down), {}, 1,
                      bench.numbers, handle);
  REQUIRE(cudaStreamUpdateCaptureDependencies(bench.stream, &node, nullptr, 1,
                                              cudaStreamSetCaptureDependencies) == cudaSuccess);
  add_to<<<1, 1, 0, bench.stream>>>(bench.numbers, 40);
  REQUIRE(cudaStreamEndCapture(bench.stream, &captured) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, captured) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, bench.stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(bench.stream) == cudaSuccess);
  CHECK(bench.number() == 40);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(captured) == cudaSuccess);
}

TEST_CASE("a thread may ask for calls that its capture forbids") {
  Bench bench;
  void* memory = nullptr;
  cudaGraph_t captured = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  REQUIRE(cudaStreamBeginCapture(bench.stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeGlobal);
  CHECK(cudaMalloc(&memory, 64) == cudaSuccess);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeRelaxed);
  CHECK(cudaStreamEndCapture(bench.stream, &captured) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaGraphDestroy(captured) == cudaSuccess);
}

TEST_CASE("nodes of executable graphs: other parameters, and none of their work") {
  Bench bench;
  const auto first = bench.add_kernel(reinterpret_cast<void*>(add_to), {}, bench.numbers, 1);
  const auto second = bench.add_kernel(reinterpret_cast<void*>(add_to), {first}, bench.numbers, 10);
  bench.instantiate();
  CHECK(cudaGraphNodeSetEnabled(bench.executable, first, 0) == cudaSuccess);
  bench.launch();
  CHECK(bench.number() == 10);
  CHECK(cudaGraphNodeSetEnabled(bench.executable, first, 1) == cudaSuccess);
  bench.launch();
  CHECK(bench.number() == 21);

  // What a program reads of a node, it can write back changed.
  cudaKernelNodeParams parameters{};
  CHECK(cudaGraphKernelNodeGetParams(second, &parameters) == cudaSuccess);
  CHECK(*static_cast<int*>(parameters.kernelParams[1]) == 10);
  int hundred = 100;
  void* changed[] = {&bench.numbers, &hundred};
  parameters.kernelParams = changed;
  CHECK(cudaGraphExecKernelNodeSetParams(bench.executable, second, &parameters) == cudaSuccess);
  bench.launch();
  CHECK(bench.number() == 122);
  CHECK(cudaGraphKernelNodeSetParams(second, &parameters) == cudaSuccess);
  CHECK(cudaGraphKernelNodeGetParams(second, &parameters) == cudaSuccess);
  CHECK(*static_cast<int*>(parameters.kernelParams[1]) == 100);

  cudaGraph_t clone = nullptr;
  cudaGraphNode_t cloned = nullptr;
  CHECK(cudaGraphClone(&clone, bench.graph) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&cloned, second, clone) == cudaSuccess);
  hundred = 1000;
  parameters.kernelParams = changed;
  CHECK(cudaGraphKernelNodeSetParams(cloned, &parameters) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(bench.executable, clone, nullptr) == cudaSuccess);
  bench.launch();
  CHECK(bench.number() == 1123);
  // The nodes have the names that they had before the update.
  CHECK(cudaGraphNodeSetEnabled(bench.executable, second, 0) == cudaSuccess);
  bench.launch();
  CHECK(bench.number() == 1124);
  CHECK(cudaGraphDestroy(clone) == cudaSuccess);
}

TEST_CASE("copies of all forms, fills and functions change in graphs and executables") {
  Bench bench;
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, kNumbers * sizeof(int)) == cudaSuccess);
  for (int i = 0; i < kNumbers; ++i) pinned[i] = i;
  cudaGraphNode_t to_symbol, from_symbol, box, fill, call;
  REQUIRE(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, bench.graph, nullptr, 0, scale, pinned + 2,
                                         sizeof(int), 0, cudaMemcpyHostToDevice) == cudaSuccess);
  cudaMemsetParams ones{};
  ones.dst = bench.numbers;
  ones.elementSize = 2;
  ones.value = 1;
  ones.width = 2;
  ones.height = 1;
  REQUIRE(cudaGraphAddMemsetNode(&fill, bench.graph, &to_symbol, 1, &ones) == cudaSuccess);
  const auto scaled = bench.add_kernel(reinterpret_cast<void*>(scale_by), {fill}, bench.numbers);
  REQUIRE(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, bench.graph, &scaled, 1, pinned + 10,
                                           table, 2 * sizeof(int), sizeof(int),
                                           cudaMemcpyDeviceToHost) == cudaSuccess);
  // Two columns of three rows of four numbers.
  cudaMemcpy3DParms columns{};
  columns.srcPtr = make_cudaPitchedPtr(pinned + 20, 4 * sizeof(int), 4, 3);
  columns.dstPtr = make_cudaPitchedPtr(bench.numbers + 20, 2 * sizeof(int), 2, 3);
  columns.extent = make_cudaExtent(2 * sizeof(int), 3, 1);
  columns.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaGraphAddMemcpyNode(&box, bench.graph, nullptr, 0, &columns) == cudaSuccess);
  static int told;
  told = 0;
  cudaHostNodeParams tell{};
  tell.fn = [](void* number) { told += *static_cast<int*>(number); };
  tell.userData = pinned + 100;
  REQUIRE(cudaGraphAddHostNode(&call, bench.graph, &scaled, 1, &tell) == cudaSuccess);
  const int values[4] = {6, 7, 8, 9};
  REQUIRE(cudaMemcpyToSymbol(table, values, sizeof(values)) == cudaSuccess);
  bench.instantiate();
  bench.launch();
  CHECK(bench.number() == 2 * 0x00010001);
  CHECK(pinned[10] == 7);
  CHECK(pinned[11] == 8);
  CHECK(bench.number(20) == 20);
  CHECK(bench.number(23) == 25);
  CHECK(bench.number(25) == 29);
  CHECK(told == 100);

  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(bench.executable, to_symbol, scale, pinned + 5,
                                                 sizeof(int), 0,
                                                 cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(bench.executable, from_symbol, pinned + 12,
                                                   table, sizeof(int), 0,
                                                   cudaMemcpyDeviceToHost) == cudaSuccess);
  ones.value = 3;
  CHECK(cudaGraphExecMemsetNodeSetParams(bench.executable, fill, &ones) == cudaSuccess);
  tell.userData = pinned + 101;
  CHECK(cudaGraphExecHostNodeSetParams(bench.executable, call, &tell) == cudaSuccess);
  bench.launch();
  CHECK(bench.number() == 5 * 0x00030003);
  CHECK(pinned[12] == 6);
  CHECK(told == 201);

  CHECK(cudaGraphExecMemcpyNodeSetParams1D(bench.executable, from_symbol, pinned + 13,
                                           bench.numbers, sizeof(int),
                                           cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaGraphMemcpyNodeSetParams1D(to_symbol, bench.numbers + 3, pinned + 50, sizeof(int),
                                       cudaMemcpyHostToDevice) == cudaSuccess);
  bench.launch();
  CHECK(pinned[13] == 5 * 0x00030003);
  cudaMemcpy3DParms row{};
  CHECK(cudaGraphMemcpyNodeGetParams(to_symbol, &row) == cudaSuccess);
  CHECK(row.srcPtr.ptr == pinned + 50);
  CHECK(row.extent.width == sizeof(int));
  CHECK(cudaGraphMemcpyNodeGetParams(box, &columns) == cudaSuccess);
  CHECK(columns.srcPtr.pitch == 4 * sizeof(int));
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("events that a graph records, and waits for") {
  Bench bench;
  cudaEvent_t begin, end;
  cudaStream_t other = nullptr;
  REQUIRE(cudaEventCreate(&begin) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
  cudaGraphNode_t waits, records;
  REQUIRE(cudaGraphAddEventWaitNode(&waits, bench.graph, nullptr, 0, begin) == cudaSuccess);
  const auto add = bench.add_kernel(reinterpret_cast<void*>(add_to), {waits}, bench.numbers, 5);
  REQUIRE(cudaGraphAddEventRecordNode(&records, bench.graph, &add, 1, end) == cudaSuccess);
  bench.instantiate();
  for (int i = 1; i <= 2; ++i) {
    fill_with<<<1, 1, 0, other>>>(bench.numbers, 100 * i);
    REQUIRE(cudaEventRecord(begin, other) == cudaSuccess);
    CHECK(cudaGraphLaunch(bench.executable, bench.stream) == cudaSuccess);
    CHECK(cudaEventSynchronize(end) == cudaSuccess);
    CHECK(bench.number() == 100 * i + 5);
  }
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess);
  CHECK(milliseconds >= 0);
  cudaEvent_t event = nullptr;
  CHECK(cudaGraphEventWaitNodeGetEvent(waits, &event) == cudaSuccess);
  CHECK(event == begin);
  CHECK(cudaGraphExecEventRecordNodeSetEvent(bench.executable, records, begin) == cudaSuccess);
  CHECK(cudaGraphEventRecordNodeSetEvent(records, begin) == cudaSuccess);
  CHECK(cudaStreamDestroy(other) == cudaSuccess);
  CHECK(cudaEventDestroy(begin) == cudaSuccess);
  CHECK(cudaEventDestroy(end) == cudaSuccess);
}

TEST_CASE("a kernel's attributes change its launch") {
  Bench bench;
  const auto counts = bench.add_kernel(reinterpret_cast<void*>(count_blocks), {}, bench.numbers);
  cudaKernelNodeParams parameters{};
  CHECK(cudaGraphKernelNodeGetParams(counts, &parameters) == cudaSuccess);
  parameters.gridDim = dim3(4);
  CHECK(cudaGraphKernelNodeSetParams(counts, &parameters) == cudaSuccess);
  cudaKernelNodeAttrValue value{};
  value.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(counts, cudaLaunchAttributeCooperative, &value) ==
        cudaSuccess);
  value = {};
  CHECK(cudaGraphKernelNodeGetAttribute(counts, cudaLaunchAttributeCooperative, &value) ==
        cudaSuccess);
  CHECK(value.cooperative == 1);
  bench.instantiate();
  bench.launch();
  CHECK(bench.number() == 40);
}

TEST_CASE("a graph as a picture") {
  Bench bench;
  const auto first = bench.add_kernel(reinterpret_cast<void*>(add_to), {}, bench.numbers, 1);
  cudaGraphNode_t empty;
  REQUIRE(cudaGraphAddEmptyNode(&empty, bench.graph, &first, 1) == cudaSuccess);
  const std::string path = "graph_nodes_test.dot";
  REQUIRE(cudaGraphDebugDotPrint(bench.graph, path.c_str(), 0) == cudaSuccess);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  CHECK(text.starts_with("digraph dot {\n"));
  CHECK(text.find("6add_toEPii") != std::string::npos);
  CHECK(text.find("\nEMPTY\n") != std::string::npos);
  CHECK(text.find("_node_0\" -> \"graph_") != std::string::npos);
  CHECK(text.find("<<<") == std::string::npos);
  REQUIRE(cudaGraphDebugDotPrint(bench.graph, path.c_str(),
                                 cudaGraphDebugDotFlagsKernelNodeParams) == cudaSuccess);
  std::ifstream again(path);
  const std::string more{std::istreambuf_iterator<char>(again), std::istreambuf_iterator<char>()};
  CHECK(more.find("\\<\\<\\<1,1,0\\>\\>\\>") != std::string::npos);
  std::remove(path.c_str());
}
