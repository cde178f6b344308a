// Tests captures and graphs: calls that a capture forbids, nodes, and launches, as with CUDA 13.0
// on an H200. Uses only the runtime API, and passes on a device, too.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "cuda_error_text.hpp"

namespace {

__global__ void add(int* to, int value) { *to += value; }
__global__ void multiply(int* by, int value) { *by *= value; }

struct Things {
  Things() {
    REQUIRE(cudaMalloc(&device, 4096) == cudaSuccess);
    REQUIRE(cudaMemset(device, 0, 4096) == cudaSuccess);
    REQUIRE(cudaMallocHost(&pinned, 4096) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&non_blocking, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaEventCreate(&second_event) == cudaSuccess);
  }
  int *device = nullptr, *pinned = nullptr, pageable[16] = {};
  cudaStream_t stream = nullptr, other = nullptr, non_blocking = nullptr;
  cudaEvent_t event = nullptr, second_event = nullptr;
};
Things& things() {
  static Things& all = *new Things;
  return all;
}

int value() {
  int number = -1;
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaMemcpy(&number, things().device, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  return number;
}
void set_value(int number) {
  REQUIRE(cudaMemcpy(things().device, &number, 4, cudaMemcpyHostToDevice) == cudaSuccess);
}

std::size_t nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  return count;
}

cudaError_t launch(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  if (const cudaError_t error = cudaGraphInstantiate(&executable, graph, 0); error != cudaSuccess) {
    cudaGetLastError();
    return error;
  }
  CHECK(cudaGraphLaunch(executable, things().stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(things().stream) == cudaSuccess);
  return cudaGraphExecDestroy(executable);
}

/// The result of a call during a capture of `stream`, and how the capture ends.
struct Outcome {
  cudaError_t call, end;
  std::size_t nodes;  // of the graph, if there is one
  bool operator==(const Outcome&) const = default;
};
Outcome captured(const std::function<cudaError_t()>& call,
                 cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  const cudaStream_t stream = things().stream;
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, mode) == cudaSuccess);
  Outcome outcome{};
  outcome.call = call();
  cudaGetLastError();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  outcome.end = cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
  CHECK((status == cudaStreamCaptureStatusInvalidated) ==
        (outcome.end == cudaErrorStreamCaptureInvalidated));
  CHECK((graph != nullptr) == (outcome.end == cudaSuccess));
  if (graph) {
    outcome.nodes = nodes_of(graph);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  }
  return outcome;
}

constexpr cudaStreamCaptureMode kModes[] = {
    cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};
constexpr Outcome kForbidden = {cudaErrorStreamCaptureUnsupported,
                                cudaErrorStreamCaptureInvalidated, 0};
constexpr Outcome kImplicit = {cudaErrorStreamCaptureImplicit, cudaErrorStreamCaptureInvalidated,
                               0};
constexpr Outcome kOneNode = {cudaSuccess, cudaSuccess, 1};
constexpr Outcome kNoNode = {cudaSuccess, cudaSuccess, 0};

}  // namespace

TEST_CASE("captures begin and end") {
  Things& t = things();
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(t.stream, &graph) == cudaErrorIllegalState);
  cudaGetLastError();
  for (const cudaStream_t stream : {t.stream, t.non_blocking, cudaStreamPerThread}) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id) == cudaSuccess);
    CHECK(status == cudaStreamCaptureStatusNone);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph) == cudaSuccess);
    CHECK(status == cudaStreamCaptureStatusActive);
    CHECK(id > 0);
    CHECK(graph != nullptr);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    CHECK(nodes_of(graph) == 0);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    cudaGetLastError();
  }
}

TEST_CASE("what a capture makes nodes of, and what it does not see") {
  Things& t = things();
  set_value(5);
  for (const cudaStreamCaptureMode mode : kModes) {
    CAPTURE(mode);
    const auto kernel_in = [&](cudaStream_t stream) {
      return captured(
          [&] {
            add<<<1, 1, 0, stream>>>(t.device, 0);
            return cudaPeekAtLastError();
          },
          mode);
    };
    CHECK(kernel_in(t.stream) == kOneNode);
    CHECK(kernel_in(t.other) == kNoNode);
    CHECK(kernel_in(t.non_blocking) == kNoNode);
    CHECK(captured([&] { return cudaMemsetAsync(t.device, 0, 4, t.stream); }, mode) == kOneNode);
    for (int* const host : {t.pinned, t.pageable}) {
      CHECK(
          captured(
              [&] { return cudaMemcpyAsync(t.device, host, 4, cudaMemcpyHostToDevice, t.stream); },
              mode) == kOneNode);
      CHECK(
          captured(
              [&] { return cudaMemcpyAsync(host, t.device, 4, cudaMemcpyDeviceToHost, t.stream); },
              mode) == kOneNode);
    }
    CHECK(captured(
              [&] {
                return cudaLaunchHostFunc(
                    t.stream, [](void*) {}, nullptr);
              },
              mode) == kOneNode);
    CHECK(captured([&] { return cudaEventRecord(t.event, t.stream); }, mode) == kNoNode);
    cudaEvent_t event = nullptr;
    CHECK(captured([&] { return cudaEventCreate(&event); }, mode) == kNoNode);
  }
  CHECK(value() == 5);  // the work was only captured
}

TEST_CASE("calls that captures forbid") {
  Things& t = things();
  void* memory = nullptr;
  REQUIRE(cudaEventRecord(t.second_event) == cudaSuccess);
  for (const cudaStreamCaptureMode mode : kModes) {
    CAPTURE(mode);
    const bool is_relaxed = mode == cudaStreamCaptureModeRelaxed;
    const Outcome unsafe = is_relaxed ? kNoNode : kForbidden;
    CHECK(captured([&] { return cudaStreamSynchronize(t.stream); }, mode) == kForbidden);
    CHECK(captured([&] { return cudaStreamQuery(t.stream); }, mode) == kForbidden);
    CHECK(captured([&] { return cudaDeviceSynchronize(); }, mode) == kForbidden);
    CHECK(captured([&] { return cudaStreamSynchronize(t.other); }, mode) == unsafe);
    CHECK(captured([&] { return cudaEventQuery(t.second_event); }, mode) == unsafe);
    CHECK(captured([&] { return cudaMalloc(&memory, 64); }, mode) == unsafe);
    if (!memory) REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
    CHECK(captured([&] { return cudaFree(memory); }, mode) == unsafe);
    if (!is_relaxed) REQUIRE(cudaFree(memory) == cudaSuccess);
    memory = nullptr;
    CHECK(captured([&] { return cudaMallocHost(&memory, 64); }, mode) == unsafe);
    if (is_relaxed) REQUIRE(cudaFreeHost(memory) == cudaSuccess);
    memory = nullptr;
    CHECK(captured([&] { return cudaStreamSynchronize(nullptr); }, mode) == kImplicit);
    CHECK(captured([&] { return cudaMemset(t.device, 0, 4); }, mode) == kImplicit);
    CHECK(captured([&] { return cudaMemcpy(t.pageable, t.device, 4, cudaMemcpyDeviceToHost); },
                   mode) == kImplicit);
    CHECK(captured(
              [&] {
                add<<<1, 1>>>(t.device, 1);
                return cudaPeekAtLastError();
              },
              mode) == kImplicit);
  }
  const auto in_thread = [&] {
    cudaError_t error = cudaSuccess;
    std::thread([&] { error = cudaMalloc(&memory, 64); }).join();
    return error;
  };
  CHECK(captured(in_thread) == kForbidden);
  CHECK(captured(in_thread, cudaStreamCaptureModeThreadLocal) == kNoNode);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  CHECK(captured([&] {
          add<<<1, 5000, 0, t.stream>>>(t.device, 1);
          return cudaPeekAtLastError();
        }) == Outcome{cudaErrorInvalidValue, cudaErrorStreamCaptureInvalidated, 0});
  CHECK(captured([&] {
          return cudaMemcpyAsync(t.device, nullptr, 4, cudaMemcpyDefault, t.stream);
        }) == Outcome{cudaErrorInvalidValue, cudaSuccess, 0});
}

TEST_CASE("after a call that a capture forbids, and when its stream goes away") {
  Things& t = things();
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(t.stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaStreamQuery(t.stream) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaMemsetAsync(t.device, 0, 4, t.stream) == cudaErrorStreamCaptureInvalidated);
  add<<<1, 1, 0, t.stream>>>(t.device, 0);
  CHECK(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamEndCapture(t.stream, &graph) == cudaErrorStreamCaptureInvalidated);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamIsCapturing(nullptr, &status) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);  // the query has not ended the capture
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("events and forks") {
  Things& t = things();
  const auto fork = [&] {
    CHECK(cudaEventRecord(t.event, t.stream) == cudaSuccess);
    return cudaStreamWaitEvent(t.other, t.event, 0);
  };
  const auto join = [&] {
    CHECK(cudaEventRecord(t.second_event, t.other) == cudaSuccess);
    return cudaStreamWaitEvent(t.stream, t.second_event, 0);
  };
  const Outcome of_event = {cudaErrorCapturedEvent, cudaErrorStreamCaptureInvalidated, 0};
  CHECK(captured([&] {
          cudaEventRecord(t.event, t.stream);
          return cudaEventQuery(t.event);
        }) == of_event);
  CHECK(captured([&] {
          cudaEventRecord(t.event, t.stream);
          return cudaEventSynchronize(t.event);
        }) == of_event);
  CHECK(captured([&] {
          float ms = 0;
          cudaEventRecord(t.event, t.stream);
          return cudaEventElapsedTime(&ms, t.event, t.event);
        }) == Outcome{cudaErrorCapturedEvent, cudaSuccess, 0});
  CHECK(cudaEventQuery(t.event) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(captured([&] {
          cudaEventRecord(t.event, t.other);
          return cudaStreamWaitEvent(t.stream, t.event, 0);
        }) == Outcome{cudaErrorStreamCaptureIsolation, cudaErrorStreamCaptureInvalidated, 0});
  CHECK(captured([&] {
          fork();
          add<<<1, 1, 0, t.other>>>(t.device, 1);
          return cudaPeekAtLastError();
        }) == Outcome{cudaSuccess, cudaErrorStreamCaptureUnjoined, 0});
  CHECK(captured(fork) == kNoNode);
  CHECK(captured([&] {
          add<<<1, 1, 0, t.stream>>>(t.device, 1);
          fork();
          cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
          CHECK(cudaStreamIsCapturing(t.other, &status) == cudaSuccess);
          CHECK(status == cudaStreamCaptureStatusActive);
          add<<<1, 1, 0, t.other>>>(t.device, 1);
          return join();
        }) == Outcome{cudaSuccess, cudaSuccess, 2});
  CHECK(captured([&] {
          fork();
          cudaGraph_t graph = nullptr;
          return cudaStreamEndCapture(t.other, &graph);
        }) == Outcome{cudaErrorStreamCaptureUnmatched, cudaErrorStreamCaptureInvalidated, 0});
}

TEST_CASE("a launch of what was captured: arguments of then, memory of now") {
  Things& t = things();
  set_value(0);
  int argument = 3;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(t.stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  add<<<1, 1, 0, t.stream>>>(t.device, argument);
  argument = 100;
  multiply<<<1, 1, 0, t.stream>>>(t.device, 2);
  cudaMemcpyAsync(t.device + 1, t.pinned, 4, cudaMemcpyHostToDevice, t.stream);
  cudaMemcpyAsync(t.device + 2, t.pageable, 4, cudaMemcpyHostToDevice, t.stream);
  REQUIRE(cudaStreamEndCapture(t.stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  std::vector<cudaGraphNode_t> nodes(nodes_of(graph));
  std::size_t count = nodes.size();
  REQUIRE(count == 4);
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count) == cudaSuccess);
  const cudaGraphNodeType types[] = {cudaGraphNodeTypeKernel, cudaGraphNodeTypeKernel,
                                     cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemcpy};
  for (std::size_t i = 0; i < count; ++i) {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    CHECK(cudaGraphNodeGetType(nodes[i], &type) == cudaSuccess);
    CHECK(type == types[i]);
  }
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);  // the executable graph is independent
  const auto numbers = [&] {
    int all[3] = {};
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMemcpy(all, t.device, sizeof(all), cudaMemcpyDeviceToHost) == cudaSuccess);
    return std::vector<int>(all, all + 3);
  };
  t.pinned[0] = 7, t.pageable[0] = 8;
  CHECK(cudaGraphLaunch(executable, t.stream) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, t.stream) == cudaSuccess);
  CHECK(numbers() == std::vector<int>{18, 7, 8});
  t.pinned[0] = 9, t.pageable[0] = 10;
  CHECK(cudaGraphLaunch(executable, nullptr) == cudaSuccess);
  CHECK(numbers() == std::vector<int>{42, 9, 10});
  CHECK(cudaGraphUpload(executable, t.stream) == cudaSuccess);
  CHECK(cudaGraphLaunch(nullptr, t.stream) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("launches of one executable graph wait for each other, in any streams") {
  Things& t = things();
  set_value(1);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaStreamBeginCapture(t.stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  add<<<1, 1, 0, t.stream>>>(t.device, 1);
  multiply<<<1, 1, 0, t.stream>>>(t.device, 2);
  REQUIRE(cudaStreamEndCapture(t.stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (const cudaStream_t stream : {t.other, t.stream, t.non_blocking})
    CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(t.non_blocking) == cudaSuccess);
  CHECK(value() == 22);
  cudaMemsetParams nothing{};
  nothing.dst = t.device;
  nothing.elementSize = 4;
  cudaGraphNode_t fill = nullptr;
  if (cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &nothing) == cudaSuccess)
    CHECK(launch(graph) == cudaSuccess);
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("a graph of nodes: order, changes, copies, graphs within") {
  Things& t = things();
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 1) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphNode_t sum, product, fill, copy, call, empty;
  int one = 1, ten = 10;
  void* of_sum[] = {&t.device, &one};
  void* of_product[] = {&t.device, &ten};
  cudaKernelNodeParams add_one{}, times_ten{};
  add_one.func = reinterpret_cast<void*>(add);
  add_one.gridDim = add_one.blockDim = dim3(1);
  add_one.kernelParams = of_sum;
  times_ten = add_one;
  times_ten.func = reinterpret_cast<void*>(multiply);
  times_ten.kernelParams = of_product;
  CHECK(cudaGraphAddKernelNode(&sum, graph, nullptr, 0, &add_one) == cudaSuccess);
  CHECK(cudaGraphAddKernelNode(&product, graph, &sum, 1, &times_ten) == cudaSuccess);
  one = 5;  // the node already has its arguments
  cudaMemsetParams two{};
  two.dst = t.device;
  two.elementSize = 4;
  two.value = 2;
  two.width = two.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &two) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &fill, &sum, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &fill, &sum, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &product, 1, t.pinned, t.device, 4,
                                 cudaMemcpyDeviceToHost) == cudaSuccess);
  static int told;
  cudaHostNodeParams tell{};
  tell.fn = [](void* number) { told = *static_cast<int*>(number); };
  tell.userData = t.pinned;
  CHECK(cudaGraphAddHostNode(&call, graph, &copy, 1, &tell) == cudaSuccess);
  CHECK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0) == cudaSuccess);
  CHECK(launch(graph) == cudaSuccess);
  CHECK(value() == 30);
  CHECK(t.pinned[0] == 30);
  CHECK(told == 30);

  // A cycle is found on instantiation.
  CHECK(cudaGraphAddDependencies(graph, &product, &fill, nullptr, 1) == cudaSuccess);
  CHECK(launch(graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphRemoveDependencies(graph, &product, &fill, nullptr, 1) == cudaSuccess);
  CHECK(launch(graph) == cudaSuccess);

  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  ten = 4;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, product, &times_ten) == cudaSuccess);
  CHECK(cudaGraphLaunch(executable, t.stream) == cudaSuccess);
  CHECK(value() == 12);
  two.value = 7;
  CHECK(cudaGraphExecMemsetNodeSetParams(executable, fill, &two) == cudaSuccess);
  CHECK(cudaGraphExecMemsetNodeSetParams(executable, sum, &two) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(executable, t.stream) == cudaSuccess);
  CHECK(value() == 32);
  ten = 3;
  CHECK(cudaGraphKernelNodeSetParams(product, &times_ten) == cudaSuccess);
  cudaGraphExecUpdateResultInfo difference{};
  CHECK(cudaGraphExecUpdate(executable, graph, &difference) == cudaSuccess);
  CHECK(difference.result == cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphLaunch(executable, t.stream) == cudaSuccess);
  CHECK(value() == 9);

  cudaGraph_t clone = nullptr, outer = nullptr;
  CHECK(cudaGraphClone(&clone, graph) == cudaSuccess);
  CHECK(nodes_of(clone) == 6);
  CHECK(launch(clone) == cudaSuccess);
  CHECK(value() == 9);
  CHECK(cudaGraphCreate(&outer, 0) == cudaSuccess);
  cudaGraphNode_t inner, after;
  CHECK(cudaGraphAddChildGraphNode(&inner, outer, nullptr, 0, clone) == cudaSuccess);
  CHECK(cudaGraphAddKernelNode(&after, outer, &inner, 1, &add_one) == cudaSuccess);
  CHECK(launch(outer) == cudaSuccess);
  CHECK(value() == 14);
  CHECK(cudaGraphExecUpdate(executable, outer, &difference) == cudaErrorGraphExecUpdateFailure);
  CHECK(difference.result == cudaGraphExecUpdateErrorTopologyChanged);

  CHECK(cudaGraphAddEmptyNode(&empty, outer, &sum, 1) == cudaErrorInvalidValue);
  cudaKernelNodeParams wrong = add_one;
  wrong.func = nullptr;
  CHECK(cudaGraphAddKernelNode(&empty, outer, nullptr, 0, &wrong) ==
        cudaErrorInvalidDeviceFunction);
  wrong = add_one;
  wrong.blockDim = dim3(5000);
  CHECK(cudaGraphAddKernelNode(&empty, outer, nullptr, 0, &wrong) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddKernelNode(&empty, outer, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroyNode(call) == cudaSuccess);
  CHECK(nodes_of(graph) == 5);
  std::vector<cudaGraphNode_t> room(8, sum);
  std::size_t count = room.size();
  CHECK(cudaGraphGetNodes(graph, room.data(), &count) == cudaSuccess);
  CHECK(count == 5);
  CHECK(room[5] == nullptr);
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  for (const cudaGraph_t each : {graph, clone, outer}) CHECK(cudaGraphDestroy(each) == cudaSuccess);
  CHECK(cudaGraphDestroy(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphInstantiate(&executable, nullptr, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
}
