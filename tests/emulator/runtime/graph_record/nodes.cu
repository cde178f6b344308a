// Prints what CUDA answers about graphs: nodes, their parameters and edges.
#include <cstring>
#include <vector>

#include "answers.hpp"

namespace graph_record {

namespace {

__device__ int variable[4];
__global__ void add(int* to, int value) { *to += value; }
__global__ void multiply(int* by, int value) { *by *= value; }
struct Big {
  char bytes[20];
};
__global__ void mixed(char, double, Big, short) {}

}  // namespace

void capture_info() {
  cudaStreamCaptureStatus status;
  unsigned long long number;
  cudaGraph_t graph;
  const cudaGraphNode_t* dependencies;
  const cudaGraphEdgeData* edges;
  size_t count;
  ask("cudaStreamGetCaptureInfo(stream, nullptr, &number, &graph, &dependencies, &edges, &count)",
      cudaStreamGetCaptureInfo(stream, nullptr, &number, &graph, &dependencies, &edges, &count));
  ask("cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0)",
      cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0));
  ask("cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 5)",
      cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 5));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, stream>>>(device, 7);
  edges = (const cudaGraphEdgeData*)1;
  ask("cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &dependencies, &edges, &count)",
      cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &dependencies, &edges, &count));
  say("n %zu edges %s", count, edges == nullptr ? "null" : edges == (void*)1 ? "untouched" : "set");
  ask("cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &dependencies, nullptr, &count)",
      cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &dependencies, nullptr, &count));
  cudaGraphNode_t more;
  ask("cudaGraphAddEmptyNode(&more, graph, nullptr, 0)",
      cudaGraphAddEmptyNode(&more, graph, nullptr, 0));
  ask("cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0)",
      cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0));
  ask("cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1, "
      "cudaStreamAddCaptureDependencies)",
      cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1,
                                          cudaStreamAddCaptureDependencies));
  ask("cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1, "
      "cudaStreamAddCaptureDependencies)",
      cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1,
                                          cudaStreamAddCaptureDependencies));
  ask("cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &dependencies, nullptr, &count)",
      cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &dependencies, nullptr, &count));
  say("n %zu", count);
  ask("cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1, "
      "cudaStreamSetCaptureDependencies)",
      cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1,
                                          cudaStreamSetCaptureDependencies));
  ask("cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &dependencies, nullptr, &count)",
      cudaStreamGetCaptureInfo(stream, &status, &number, &graph, &dependencies, nullptr, &count));
  say("n %zu", count);
  ask("cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1, 5)",
      cudaStreamUpdateCaptureDependencies(stream, &more, nullptr, 1, 5));
  cudaGraph_t other = new_graph();
  cudaGraphNode_t foreign;
  cudaGraphAddEmptyNode(&foreign, other, nullptr, 0);
  ask("cudaStreamUpdateCaptureDependencies(stream, &foreign, nullptr, 1, 0)",
      cudaStreamUpdateCaptureDependencies(stream, &foreign, nullptr, 1, 0));
  cudaGraph_t made;
  ask("cudaStreamEndCapture(stream, &made)", cudaStreamEndCapture(stream, &made));
  say("same graph %d", made == graph);
  // events as nodes
  cudaEvent_t event, next_event;
  cudaEventCreate(&event);
  cudaEventCreateWithFlags(&next_event, cudaEventDisableTiming);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ask("cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal)",
      cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
  ask("cudaStreamWaitEvent(stream, next_event, cudaEventWaitExternal)",
      cudaStreamWaitEvent(stream, next_event, cudaEventWaitExternal));
  ask("cudaStreamEndCapture(stream, &graph)", cudaStreamEndCapture(stream, &graph));
  ask("cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal)",
      cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
  ask("cudaStreamWaitEvent(stream, next_event, cudaEventWaitExternal)",
      cudaStreamWaitEvent(stream, next_event, cudaEventWaitExternal));
  std::vector<cudaGraphNode_t> nodes(9);
  count = 9;
  cudaGraphGetNodes(graph, nodes.data(), &count);
  for (size_t i = 0; i < count; ++i) {
    cudaGraphNodeType type;
    cudaGraphNodeGetType(nodes[i], &type);
    say("type %d", static_cast<int>(type));
  }
  cudaGraphExec_t executable;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaStreamSynchronize(stream)", cudaStreamSynchronize(stream));
  ask("cudaEventQuery(event)", cudaEventQuery(event));
  cudaEvent_t back;
  ask("cudaGraphEventRecordNodeGetEvent(nodes[0], &back)",
      cudaGraphEventRecordNodeGetEvent(nodes[0], &back));
  say("same %d", back == event);
  ask("cudaGraphEventRecordNodeGetEvent(nodes[1], &back)",
      cudaGraphEventRecordNodeGetEvent(nodes[1], &back));
  ask("cudaGraphEventRecordNodeSetEvent(nodes[0], nullptr)",
      cudaGraphEventRecordNodeSetEvent(nodes[0], nullptr));
  ask("cudaGraphEventRecordNodeSetEvent(nodes[0], next_event)",
      cudaGraphEventRecordNodeSetEvent(nodes[0], next_event));
  ask("cudaGraphEventWaitNodeSetEvent(nodes[1], event)",
      cudaGraphEventWaitNodeSetEvent(nodes[1], event));
  ask("cudaGraphExecEventRecordNodeSetEvent(executable, nodes[0], next_event)",
      cudaGraphExecEventRecordNodeSetEvent(executable, nodes[0], next_event));
  ask("cudaGraphExecEventWaitNodeSetEvent(executable, nodes[0], next_event)",
      cudaGraphExecEventWaitNodeSetEvent(executable, nodes[0], next_event));
  ask("cudaGraphAddEventRecordNode(&more, graph, nullptr, 0, nullptr)",
      cudaGraphAddEventRecordNode(&more, graph, nullptr, 0, nullptr));
  ask("cudaGraphAddEventWaitNode(&more, graph, nullptr, 0, nullptr)",
      cudaGraphAddEventWaitNode(&more, graph, nullptr, 0, nullptr));
  say_update(executable, graph, "events");
}

void parameters() {
  cudaGraph_t graph = new_graph(), empty = new_graph();
  cudaGraphNode_t kernel, copy, fill_node, host_node, nothing, child_node;
  int one = 1;
  void* arguments[] = {&device, &one};
  cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(add), arguments),
                       kernel_back{};
  ask("cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &of_kernel)",
      cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &of_kernel));
  one = 50;
  ask("cudaGraphKernelNodeGetParams(kernel, &kernel_back)",
      cudaGraphKernelNodeGetParams(kernel, &kernel_back));
  say("kernel: func %d params %s own %d value %d extra %s",
      kernel_back.func == reinterpret_cast<void*>(add), kernel_back.kernelParams ? "set" : "null",
      kernel_back.kernelParams != arguments,
      kernel_back.kernelParams ? *(int*)kernel_back.kernelParams[1] : -1,
      kernel_back.extra ? "set" : "null");
  ask("cudaGraphKernelNodeGetParams(kernel, nullptr)",
      cudaGraphKernelNodeGetParams(kernel, nullptr));
  ask("cudaGraphKernelNodeGetParams(nullptr, &kernel_back)",
      cudaGraphKernelNodeGetParams(nullptr, &kernel_back));
  int* host = nullptr;
  cudaMallocHost(&host, 4096);
  ask("cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, device, 40, "
      "cudaMemcpyDeviceToHost)",
      cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, device, 40, cudaMemcpyDeviceToHost));
  ask("cudaGraphKernelNodeGetParams(copy, &kernel_back)",
      cudaGraphKernelNodeGetParams(copy, &kernel_back));
  cudaMemcpy3DParms of_copy{};
  ask("cudaGraphMemcpyNodeGetParams(copy, &of_copy)", cudaGraphMemcpyNodeGetParams(copy, &of_copy));
  say("copy 1D: src %d dst %d pitch %zu %zu xsize %zu ysize %zu extent %zu %zu %zu kind %d",
      of_copy.srcPtr.ptr == device, of_copy.dstPtr.ptr == host, of_copy.srcPtr.pitch,
      of_copy.dstPtr.pitch, of_copy.srcPtr.xsize, of_copy.srcPtr.ysize, of_copy.extent.width,
      of_copy.extent.height, of_copy.extent.depth, static_cast<int>(of_copy.kind));
  of_copy.kind = cudaMemcpyDefault;
  ask("cudaGraphMemcpyNodeSetParams(copy, &of_copy)", cudaGraphMemcpyNodeSetParams(copy, &of_copy));
  ask("cudaGraphMemcpyNodeSetParams(kernel, &of_copy)",
      cudaGraphMemcpyNodeSetParams(kernel, &of_copy));
  ask("cudaGraphMemcpyNodeSetParams(copy, nullptr)", cudaGraphMemcpyNodeSetParams(copy, nullptr));
  ask("cudaGraphMemcpyNodeSetParams1D(copy, host + 1, device, 4, cudaMemcpyDeviceToHost)",
      cudaGraphMemcpyNodeSetParams1D(copy, host + 1, device, 4, cudaMemcpyDeviceToHost));
  ask("cudaGraphMemcpyNodeSetParams1D(copy, host + 1, device, 0, cudaMemcpyDeviceToHost)",
      cudaGraphMemcpyNodeSetParams1D(copy, host + 1, device, 0, cudaMemcpyDeviceToHost));
  ask("cudaGraphMemcpyNodeSetParams1D(copy, nullptr, device, 4, cudaMemcpyDeviceToHost)",
      cudaGraphMemcpyNodeSetParams1D(copy, nullptr, device, 4, cudaMemcpyDeviceToHost));
  ask("cudaGraphMemcpyNodeSetParamsToSymbol(copy, variable, host, 4, 4, cudaMemcpyHostToDevice)",
      cudaGraphMemcpyNodeSetParamsToSymbol(copy, variable, host, 4, 4, cudaMemcpyHostToDevice));
  ask("cudaGraphMemcpyNodeSetParamsToSymbol(copy, variable, host, 20, 0, cudaMemcpyHostToDevice)",
      cudaGraphMemcpyNodeSetParamsToSymbol(copy, variable, host, 20, 0, cudaMemcpyHostToDevice));
  ask("cudaGraphMemcpyNodeSetParamsFromSymbol(copy, host, variable, 4, 4, cudaMemcpyDeviceToHost)",
      cudaGraphMemcpyNodeSetParamsFromSymbol(copy, host, variable, 4, 4, cudaMemcpyDeviceToHost));
  ask("cudaGraphMemcpyNodeGetParams(copy, &of_copy)", cudaGraphMemcpyNodeGetParams(copy, &of_copy));
  say("from symbol: kind %d width %zu", static_cast<int>(of_copy.kind), of_copy.extent.width);
  cudaMemsetParams of_fill{}, fill_back{};
  of_fill.dst = device;
  of_fill.elementSize = 4;
  of_fill.value = 9;
  of_fill.width = 5;
  of_fill.height = 1;
  ask("cudaGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &of_fill)",
      cudaGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &of_fill));
  ask("cudaGraphMemsetNodeGetParams(fill_node, &fill_back)",
      cudaGraphMemsetNodeGetParams(fill_node, &fill_back));
  say("memset: dst %d pitch %zu value %u element %u width %zu height %zu", fill_back.dst == device,
      fill_back.pitch, fill_back.value, fill_back.elementSize, fill_back.width, fill_back.height);
  of_fill.elementSize = 3;
  ask("cudaGraphMemsetNodeSetParams(fill_node, &of_fill)",
      cudaGraphMemsetNodeSetParams(fill_node, &of_fill));
  of_fill.elementSize = 1;
  of_fill.value = 0x1234;
  ask("cudaGraphMemsetNodeSetParams(fill_node, &of_fill)",
      cudaGraphMemsetNodeSetParams(fill_node, &of_fill));
  of_fill.value = 3;
  ask("cudaGraphMemsetNodeSetParams(fill_node, &of_fill)",
      cudaGraphMemsetNodeSetParams(fill_node, &of_fill));
  ask("cudaGraphMemsetNodeGetParams(fill_node, &fill_back)",
      cudaGraphMemsetNodeGetParams(fill_node, &fill_back));
  say("memset: pitch %zu value %u element %u width %zu height %zu", fill_back.pitch,
      fill_back.value, fill_back.elementSize, fill_back.width, fill_back.height);
  of_fill.width = 0;
  ask("cudaGraphMemsetNodeSetParams(fill_node, &of_fill)",
      cudaGraphMemsetNodeSetParams(fill_node, &of_fill));
  of_fill.width = 4;
  of_fill.height = 2;
  ask("cudaGraphMemsetNodeSetParams(fill_node, &of_fill)",
      cudaGraphMemsetNodeSetParams(fill_node, &of_fill));
  of_fill.pitch = 64;
  ask("cudaGraphMemsetNodeSetParams(fill_node, &of_fill)",
      cudaGraphMemsetNodeSetParams(fill_node, &of_fill));
  cudaHostNodeParams of_host{}, host_back{};
  of_host.fn = [](void*) {};
  of_host.userData = host;
  ask("cudaGraphAddHostNode(&host_node, graph, nullptr, 0, &of_host)",
      cudaGraphAddHostNode(&host_node, graph, nullptr, 0, &of_host));
  ask("cudaGraphHostNodeGetParams(host_node, &host_back)",
      cudaGraphHostNodeGetParams(host_node, &host_back));
  say("host: %d %d", host_back.fn == of_host.fn, host_back.userData == of_host.userData);
  of_host.fn = nullptr;
  ask("cudaGraphHostNodeSetParams(host_node, &of_host)",
      cudaGraphHostNodeSetParams(host_node, &of_host));
  ask("cudaGraphHostNodeSetParams(kernel, &host_back)",
      cudaGraphHostNodeSetParams(kernel, &host_back));
  ask("cudaGraphAddEmptyNode(&nothing, graph, nullptr, 0)",
      cudaGraphAddEmptyNode(&nothing, graph, nullptr, 0));
  cudaGraphNode_t in_child;
  cudaGraph_t inner = new_graph(), got = nullptr;
  cudaGraphAddKernelNode(&in_child, inner, nullptr, 0, &of_kernel);
  ask("cudaGraphAddChildGraphNode(&child_node, graph, nullptr, 0, inner)",
      cudaGraphAddChildGraphNode(&child_node, graph, nullptr, 0, inner));
  ask("cudaGraphChildGraphNodeGetGraph(child_node, &got)",
      cudaGraphChildGraphNodeGetGraph(child_node, &got));
  say("child: another graph %d", got != inner);
  ask("cudaGraphChildGraphNodeGetGraph(kernel, &got)",
      cudaGraphChildGraphNodeGetGraph(kernel, &got));
  ask("cudaGraphChildGraphNodeGetGraph(child_node, nullptr)",
      cudaGraphChildGraphNodeGetGraph(child_node, nullptr));
  ask("cudaGraphDestroy(got)", cudaGraphDestroy(got));
  cudaGraphNode_t found = nullptr;
  cudaGraph_t clone;
  ask("cudaGraphClone(&clone, graph)", cudaGraphClone(&clone, graph));
  ask("cudaGraphNodeFindInClone(&found, kernel, clone)",
      cudaGraphNodeFindInClone(&found, kernel, clone));
  cudaGraphNodeType type{};
  if (found) cudaGraphNodeGetType(found, &type);
  say("found: differs %d type %d", found != kernel, static_cast<int>(type));
  ask("cudaGraphNodeFindInClone(&found, found, clone)",
      cudaGraphNodeFindInClone(&found, found, clone));
  ask("cudaGraphNodeFindInClone(&found, kernel, graph)",
      cudaGraphNodeFindInClone(&found, kernel, graph));
  ask("cudaGraphNodeFindInClone(&found, kernel, empty)",
      cudaGraphNodeFindInClone(&found, kernel, empty));
  ask("cudaGraphNodeFindInClone(nullptr, kernel, clone)",
      cudaGraphNodeFindInClone(nullptr, kernel, clone));
  ask("cudaGraphNodeFindInClone(&found, in_child, clone)",
      cudaGraphNodeFindInClone(&found, in_child, clone));
  ask("cudaGraphNodeFindInClone(&found, nullptr, clone)",
      cudaGraphNodeFindInClone(&found, nullptr, clone));
  cudaGraphChildGraphNodeGetGraph(child_node, &got);
  ask("cudaGraphNodeFindInClone(&found, in_child, got)",
      cudaGraphNodeFindInClone(&found, in_child, got));
  cudaGraphNode_t list[4];
  size_t count = 4;
  ask("cudaGraphNodeGetDependentNodes(kernel, list, nullptr, &count)",
      cudaGraphNodeGetDependentNodes(kernel, list, nullptr, &count));
  say("dependents %zu is copy %d", count, count == 1 && list[0] == copy);
  cudaGraphEdgeData edge[4];
  std::memset(edge, 0xff, sizeof edge);
  count = 4;
  ask("cudaGraphNodeGetDependentNodes(kernel, list, edge, &count)",
      cudaGraphNodeGetDependentNodes(kernel, list, edge, &count));
  say("edge %d %d %d; behind: %d", edge[0].from_port, edge[0].to_port, edge[0].type, edge[1].type);
  ask("cudaGraphNodeGetDependentNodes(kernel, nullptr, edge, &count)",
      cudaGraphNodeGetDependentNodes(kernel, nullptr, edge, &count));
  ask("cudaGraphNodeGetDependentNodes(kernel, nullptr, nullptr, nullptr)",
      cudaGraphNodeGetDependentNodes(kernel, nullptr, nullptr, nullptr));
  cudaGraphExec_t executable;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  unsigned is_enabled = 9;
  ask("cudaGraphNodeGetEnabled(executable, kernel, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, kernel, &is_enabled));
  say("enabled %u", is_enabled);
  ask("cudaGraphNodeGetEnabled(executable, copy, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, copy, &is_enabled));
  ask("cudaGraphNodeGetEnabled(executable, fill_node, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, fill_node, &is_enabled));
  ask("cudaGraphNodeGetEnabled(executable, host_node, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, host_node, &is_enabled));
  ask("cudaGraphNodeGetEnabled(executable, nothing, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, nothing, &is_enabled));
  ask("cudaGraphNodeGetEnabled(executable, child_node, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, child_node, &is_enabled));
  ask("cudaGraphNodeSetEnabled(executable, host_node, 0)",
      cudaGraphNodeSetEnabled(executable, host_node, 0));
  ask("cudaGraphNodeSetEnabled(executable, kernel, 0)",
      cudaGraphNodeSetEnabled(executable, kernel, 0));
  ask("cudaGraphNodeGetEnabled(executable, kernel, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, kernel, &is_enabled));
  say("enabled %u", is_enabled);
  ask("cudaGraphNodeSetEnabled(executable, kernel, 5)",
      cudaGraphNodeSetEnabled(executable, kernel, 5));
  ask("cudaGraphNodeGetEnabled(executable, kernel, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, kernel, &is_enabled));
  say("enabled %u", is_enabled);
  ask("cudaGraphNodeGetEnabled(executable, kernel, nullptr)",
      cudaGraphNodeGetEnabled(executable, kernel, nullptr));
  ask("cudaGraphNodeGetEnabled(nullptr, kernel, &is_enabled)",
      cudaGraphNodeGetEnabled(nullptr, kernel, &is_enabled));
  ask("cudaGraphNodeGetEnabled(executable, nullptr, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, nullptr, &is_enabled));
  ask("cudaGraphNodeGetEnabled(executable, in_child, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, in_child, &is_enabled));
  ask("cudaGraphNodeSetEnabled(executable, kernel, 0)",
      cudaGraphNodeSetEnabled(executable, kernel, 0));
  say_update(executable, graph, "with a disabled kernel");
  ask("cudaGraphNodeGetEnabled(executable, kernel, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, kernel, &is_enabled));
  say("enabled after the update %u", is_enabled);
  one = 3;
  ask("cudaGraphExecKernelNodeSetParams(executable, kernel, &of_kernel)",
      cudaGraphExecKernelNodeSetParams(executable, kernel, &of_kernel));
  ask("cudaGraphNodeGetEnabled(executable, kernel, &is_enabled)",
      cudaGraphNodeGetEnabled(executable, kernel, &is_enabled));
  say("enabled after SetParams %u", is_enabled);
  of_kernel.func = reinterpret_cast<void*>(multiply);
  ask("cudaGraphExecKernelNodeSetParams(executable, kernel, &of_kernel)",
      cudaGraphExecKernelNodeSetParams(executable, kernel, &of_kernel));
  ask("cudaGraphExecMemcpyNodeSetParams1D(executable, copy, host, device, 4, "
      "cudaMemcpyDeviceToHost)",
      cudaGraphExecMemcpyNodeSetParams1D(executable, copy, host, device, 4,
                                         cudaMemcpyDeviceToHost));
  ask("cudaGraphExecMemcpyNodeSetParams1D(executable, copy, device, host, 4, "
      "cudaMemcpyHostToDevice)",
      cudaGraphExecMemcpyNodeSetParams1D(executable, copy, device, host, 4,
                                         cudaMemcpyHostToDevice));
  ask("cudaGraphExecMemcpyNodeSetParams1D(executable, copy, device + 8, device, 4, "
      "cudaMemcpyDeviceToDevice)",
      cudaGraphExecMemcpyNodeSetParams1D(executable, copy, device + 8, device, 4,
                                         cudaMemcpyDeviceToDevice));
  cudaMemcpy3DParms of_box{};
  of_box.srcPtr = make_cudaPitchedPtr(device, 64, 64, 2);
  of_box.dstPtr = make_cudaPitchedPtr(host, 64, 64, 2);
  of_box.extent = make_cudaExtent(8, 2, 1);
  of_box.kind = cudaMemcpyDeviceToHost;
  ask("cudaGraphExecMemcpyNodeSetParams(executable, copy, &of_box)",
      cudaGraphExecMemcpyNodeSetParams(executable, copy, &of_box));
  of_fill.elementSize = 4;
  of_fill.width = 5;
  of_fill.height = 1;
  of_fill.pitch = 0;
  ask("cudaGraphExecMemsetNodeSetParams(executable, fill_node, &of_fill)",
      cudaGraphExecMemsetNodeSetParams(executable, fill_node, &of_fill));
  of_fill.height = 2;
  of_fill.pitch = 64;
  ask("cudaGraphExecMemsetNodeSetParams(executable, fill_node, &of_fill)",
      cudaGraphExecMemsetNodeSetParams(executable, fill_node, &of_fill));
  ask("cudaGraphExecChildGraphNodeSetParams(executable, child_node, inner)",
      cudaGraphExecChildGraphNodeSetParams(executable, child_node, inner));
  ask("cudaGraphExecChildGraphNodeSetParams(executable, child_node, empty)",
      cudaGraphExecChildGraphNodeSetParams(executable, child_node, empty));
  ask("cudaGraphExecChildGraphNodeSetParams(executable, kernel, inner)",
      cudaGraphExecChildGraphNodeSetParams(executable, kernel, inner));
  cudaGraphNodeParams of_node{};
  of_node.type = cudaGraphNodeTypeKernel;
  of_node.kernel.func = reinterpret_cast<void*>(add);
  of_node.kernel.gridDim = of_node.kernel.blockDim = dim3(1);
  of_node.kernel.kernelParams = arguments;
  ask("cudaGraphNodeSetParams(kernel, &of_node)", cudaGraphNodeSetParams(kernel, &of_node));
  ask("cudaGraphExecNodeSetParams(executable, kernel, &of_node)",
      cudaGraphExecNodeSetParams(executable, kernel, &of_node));
  ask("cudaGraphExecNodeSetParams(executable, fill_node, &of_node)",
      cudaGraphExecNodeSetParams(executable, fill_node, &of_node));
  ask("cudaGraphNodeSetParams(fill_node, &of_node)", cudaGraphNodeSetParams(fill_node, &of_node));
  of_node.type = cudaGraphNodeTypeEmpty;
  ask("cudaGraphNodeSetParams(nothing, &of_node)", cudaGraphNodeSetParams(nothing, &of_node));
  of_node.reserved2 = 1;
  ask("cudaGraphNodeSetParams(nothing, &of_node)", cudaGraphNodeSetParams(nothing, &of_node));
  cudaGraphNodeParams bad{};
  bad.type = (cudaGraphNodeType)0x0c;
  ask("cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, &bad)",
      cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, &bad));
  ask("cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, nullptr)",
      cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, nullptr));
  bad.type = cudaGraphNodeTypeEmpty;
  ask("cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, &bad)",
      cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, &bad));
  bad.reserved0[1] = 1;
  ask("cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, &bad)",
      cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, &bad));
  bad.reserved0[1] = 0;
  bad.type = cudaGraphNodeTypeMemAlloc;
  bad.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  bad.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  bad.alloc.bytesize = 4096;
  ask("cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, &bad)",
      cudaGraphAddNode(&found, graph, nullptr, nullptr, 0, &bad));
  say("dptr %s", bad.alloc.dptr ? "set" : "null");
  // more forms of kernel
  cudaGraphNode_t mixed_node;
  char a1 = 1;
  double a2 = 2.5;
  Big a3{};
  a3.bytes[19] = 9;
  short a4 = 4;
  void* of_mixed_arguments[] = {&a1, &a2, &a3, &a4};
  cudaKernelNodeParams of_mixed = launch_of(reinterpret_cast<void*>(mixed), of_mixed_arguments);
  ask("cudaGraphAddKernelNode(&mixed_node, empty, nullptr, 0, &of_mixed)",
      cudaGraphAddKernelNode(&mixed_node, empty, nullptr, 0, &of_mixed));
  ask("cudaGraphKernelNodeGetParams(mixed_node, &kernel_back)",
      cudaGraphKernelNodeGetParams(mixed_node, &kernel_back));
  say("mixed: %d %g %d %d", *(char*)kernel_back.kernelParams[0],
      *(double*)kernel_back.kernelParams[1], ((Big*)kernel_back.kernelParams[2])->bytes[19],
      *(short*)kernel_back.kernelParams[3]);
}

void attributes() {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t kernel, next_kernel, nothing;
  int one = 1;
  void* arguments[] = {&device, &one};
  cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(add), arguments);
  cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &of_kernel);
  cudaGraphAddKernelNode(&next_kernel, graph, nullptr, 0, &of_kernel);
  cudaGraphAddEmptyNode(&nothing, graph, nullptr, 0);
  cudaLaunchAttributeValue value;
  for (int number = 0; number <= 17; ++number) {
    std::memset(&value, 0xee, sizeof value);
    const cudaError_t get =
        cudaGraphKernelNodeGetAttribute(kernel, (cudaLaunchAttributeID)number, &value);
    cudaGetLastError();
    say("get %2d %s", number, cudaGetErrorName(get));
    cudaLaunchAttributeValue zero;
    std::memset(&zero, 0, sizeof zero);
    if (number == 4 || number == 11) zero.clusterDim.x = zero.clusterDim.y = zero.clusterDim.z = 1;
    const cudaError_t put =
        cudaGraphKernelNodeSetAttribute(kernel, (cudaLaunchAttributeID)number, &zero);
    cudaGetLastError();
    say("set %2d %s", number, cudaGetErrorName(put));
  }
  value.priority = -3;
  ask("cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &value)",
      cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &value));
  ask("cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &value)",
      cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &value));
  say("priority %d", value.priority);
  value.priority = -300;
  ask("cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &value)",
      cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &value));
  ask("cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &value)",
      cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &value));
  say("priority %d", value.priority);
  ask("cudaGraphKernelNodeCopyAttributes(kernel, next_kernel)",
      cudaGraphKernelNodeCopyAttributes(kernel, next_kernel));
  ask("cudaGraphKernelNodeGetAttribute(next_kernel, cudaLaunchAttributePriority, &value)",
      cudaGraphKernelNodeGetAttribute(next_kernel, cudaLaunchAttributePriority, &value));
  say("priority %d", value.priority);
  ask("cudaGraphKernelNodeCopyAttributes(next_kernel, kernel)",
      cudaGraphKernelNodeCopyAttributes(next_kernel, kernel));
  ask("cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &value)",
      cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &value));
  say("priority %d", value.priority);
  ask("cudaGraphKernelNodeCopyAttributes(kernel, nothing)",
      cudaGraphKernelNodeCopyAttributes(kernel, nothing));
  ask("cudaGraphKernelNodeGetAttribute(nothing, cudaLaunchAttributePriority, &value)",
      cudaGraphKernelNodeGetAttribute(nothing, cudaLaunchAttributePriority, &value));
}

void edges() {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t kernel, next, nothing;
  int one = 1;
  void* arguments[] = {&device, &one};
  cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(add), arguments);
  cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &of_kernel);
  cudaGraphAddKernelNode(&next, graph, nullptr, 0, &of_kernel);
  cudaGraphAddEmptyNode(&nothing, graph, nullptr, 0);
  cudaGraphEdgeData data{};
  data.from_port = 1;
  data.type = 1;
  ask("cudaGraphAddDependencies(graph, &kernel, &next, &data, 1)",
      cudaGraphAddDependencies(graph, &kernel, &next, &data, 1));
  cudaGraphNode_t from[4], to[4];
  cudaGraphEdgeData back[4];
  size_t count = 4;
  ask("cudaGraphGetEdges(graph, from, to, back, &count)",
      cudaGraphGetEdges(graph, from, to, back, &count));
  say("n %zu edge %d %d %d", count, back[0].from_port, back[0].to_port, back[0].type);
  count = 4;
  ask("cudaGraphGetEdges(graph, from, to, nullptr, &count)",
      cudaGraphGetEdges(graph, from, to, nullptr, &count));
  count = 4;
  ask("cudaGraphNodeGetDependencies(next, from, nullptr, &count)",
      cudaGraphNodeGetDependencies(next, from, nullptr, &count));
  ask("cudaGraphNodeGetDependentNodes(kernel, from, nullptr, &count)",
      cudaGraphNodeGetDependentNodes(kernel, from, nullptr, &count));
  ask("cudaGraphRemoveDependencies(graph, &kernel, &next, nullptr, 1)",
      cudaGraphRemoveDependencies(graph, &kernel, &next, nullptr, 1));
  ask("cudaGraphRemoveDependencies(graph, &kernel, &next, &data, 1)",
      cudaGraphRemoveDependencies(graph, &kernel, &next, &data, 1));
  ask("cudaGraphAddDependencies(graph, &kernel, &nothing, &data, 1)",
      cudaGraphAddDependencies(graph, &kernel, &nothing, &data, 1));
  ask("cudaGraphAddDependencies(graph, &nothing, &next, &data, 1)",
      cudaGraphAddDependencies(graph, &nothing, &next, &data, 1));
  data.from_port = 3;
  ask("cudaGraphAddDependencies(graph, &kernel, &next, &data, 1)",
      cudaGraphAddDependencies(graph, &kernel, &next, &data, 1));
  data.from_port = 0;
  ask("cudaGraphAddDependencies(graph, &kernel, &next, &data, 1)",
      cudaGraphAddDependencies(graph, &kernel, &next, &data, 1));
  data.type = 0;
  data.from_port = 1;
  ask("cudaGraphAddDependencies(graph, &kernel, &next, &data, 1)",
      cudaGraphAddDependencies(graph, &kernel, &next, &data, 1));
  data.from_port = 0;
  data.to_port = 1;
  ask("cudaGraphAddDependencies(graph, &kernel, &next, &data, 1)",
      cudaGraphAddDependencies(graph, &kernel, &next, &data, 1));
  data.to_port = 0;
  data.type = 1;
  data.from_port = 2;
  ask("cudaGraphAddDependencies(graph, &kernel, &next, &data, 1)",
      cudaGraphAddDependencies(graph, &kernel, &next, &data, 1));
  cudaGraph_t clone;
  ask("cudaGraphClone(&clone, graph)", cudaGraphClone(&clone, graph));
  count = 4;
  ask("cudaGraphGetEdges(clone, from, to, back, &count)",
      cudaGraphGetEdges(clone, from, to, back, &count));
  say("n %zu edge %d %d %d", count, back[0].from_port, back[0].to_port, back[0].type);
  cudaGraphExec_t executable;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
}

}  // namespace graph_record
