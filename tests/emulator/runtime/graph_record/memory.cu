// Prints what CUDA answers about graphs: what graphs allocate and free.
#include <vector>

#include "answers.hpp"

namespace graph_record {

namespace {

__global__ void fill(int* to, int value, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = value;
}

}  // namespace

void memory_nodes() {
  say_memory("at first");
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t allocation, release, next_allocation, kernel;
  cudaMemAllocNodeParams parameters = allocation_of(1 << 20);
  ask("cudaGraphAddMemAllocNode(nullptr, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(nullptr, graph, nullptr, 0, &parameters));
  ask("cudaGraphAddMemAllocNode(&allocation, nullptr, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, nullptr, nullptr, 0, &parameters));
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, nullptr)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, nullptr));
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 1, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 1, &parameters));
  parameters.bytesize = 0;
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  parameters = allocation_of(1 << 20);
  parameters.poolProps.allocType = cudaMemAllocationTypeInvalid;
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  parameters = allocation_of(1 << 20);
  parameters.poolProps.location.type = cudaMemLocationTypeHost;
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  parameters = allocation_of(1 << 20);
  parameters.poolProps.location.id = 99;
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  parameters = allocation_of(1 << 20);
  parameters.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  parameters = allocation_of(1ull << 50);
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  parameters = allocation_of(1 << 20);
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  say("dptr is %s", parameters.dptr ? "set" : "null");
  say_memory("after adding an allocation of 1 MiB");
  cudaPointerAttributes attributes{};
  ask("cudaPointerGetAttributes(&attributes, parameters.dptr)",
      cudaPointerGetAttributes(&attributes, parameters.dptr));
  say("before any launch: type %d", static_cast<int>(attributes.type));
  ask("cudaMemset(parameters.dptr, 0, 4)", cudaMemset(parameters.dptr, 0, 4));
  ask("cudaFree(parameters.dptr)", cudaFree(parameters.dptr));
  ask("cudaFreeAsync(parameters.dptr, stream)", cudaFreeAsync(parameters.dptr, stream));
  cudaMemAllocNodeParams back = allocation_of(0);
  ask("cudaGraphMemAllocNodeGetParams(allocation, &back)",
      cudaGraphMemAllocNodeGetParams(allocation, &back));
  say("back: bytes %zu same pointer %d type %d location %d %d descs %zu", back.bytesize,
      back.dptr == parameters.dptr, static_cast<int>(back.poolProps.allocType),
      static_cast<int>(back.poolProps.location.type), back.poolProps.location.id,
      back.accessDescCount);
  ask("cudaGraphMemAllocNodeGetParams(allocation, nullptr)",
      cudaGraphMemAllocNodeGetParams(allocation, nullptr));
  ask("cudaGraphMemAllocNodeGetParams(nullptr, &back)",
      cudaGraphMemAllocNodeGetParams(nullptr, &back));
  ask("cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, nullptr)",
      cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, nullptr));
  ask("cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, device)",
      cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, device));
  ask("cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, (char*)parameters.dptr + 256)",
      cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, (char*)parameters.dptr + 256));
  ask("cudaGraphAddMemFreeNode(&release, graph, nullptr, 0, parameters.dptr)",
      cudaGraphAddMemFreeNode(&release, graph, nullptr, 0, parameters.dptr));
  say("(the one before frees without an edge)");
  ask("cudaGraphAddMemFreeNode(&kernel, graph, &allocation, 1, parameters.dptr)",
      cudaGraphAddMemFreeNode(&kernel, graph, &allocation, 1, parameters.dptr));
  void* freed = nullptr;
  ask("cudaGraphMemFreeNodeGetParams(release, &freed)",
      cudaGraphMemFreeNodeGetParams(release, &freed));
  say("same pointer %d", freed == parameters.dptr);
  ask("cudaGraphMemFreeNodeGetParams(allocation, &freed)",
      cudaGraphMemFreeNodeGetParams(allocation, &freed));
  ask("cudaGraphMemAllocNodeGetParams(release, &back)",
      cudaGraphMemAllocNodeGetParams(release, &back));
  ask("cudaGraphMemFreeNodeGetParams(release, nullptr)",
      cudaGraphMemFreeNodeGetParams(release, nullptr));
  cudaGraph_t clone, outer = new_graph();
  cudaGraphNode_t child;
  ask("cudaGraphClone(&clone, graph)", cudaGraphClone(&clone, graph));
  ask("cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph)",
      cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  ask("cudaGraphDestroyNode(release)", cudaGraphDestroyNode(release));
  ask("cudaGraphDestroyNode(allocation)", cudaGraphDestroyNode(allocation));
  cudaGraphExec_t executable, second;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  ask("cudaGraphInstantiate(&second, graph, 0)", cudaGraphInstantiate(&second, graph, 0));
  ask("cudaGraphExecDestroy(executable)", cudaGraphExecDestroy(executable));
  ask("cudaGraphInstantiate(&second, graph, 0)", cudaGraphInstantiate(&second, graph, 0));
  ask("cudaGraphAddDependencies(graph, &allocation, &release, nullptr, 1)",
      cudaGraphAddDependencies(graph, &allocation, &release, nullptr, 1));
  ask("cudaGraphRemoveDependencies(graph, &allocation, &release, nullptr, 1)",
      cudaGraphRemoveDependencies(graph, &allocation, &release, nullptr, 1));
  ask("cudaGraphAddMemAllocNode(&next_allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&next_allocation, graph, nullptr, 0, &parameters));
  ask("cudaGraphAddEmptyNode(&kernel, graph, nullptr, 0)",
      cudaGraphAddEmptyNode(&kernel, graph, nullptr, 0));
  ask("cudaGraphExecDestroy(second)", cudaGraphExecDestroy(second));
  ask("cudaGraphDestroy(graph)", cudaGraphDestroy(graph));
}

void alloc_and_free_in_one() {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t allocation, release, kernel;
  cudaMemAllocNodeParams parameters = allocation_of(1 << 20);
  ask("cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  int five = 5, node = 100;
  void* arguments[] = {&parameters.dptr, &five, &node};
  cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(fill), arguments);
  ask("cudaGraphAddKernelNode(&kernel, graph, &allocation, 1, &of_kernel)",
      cudaGraphAddKernelNode(&kernel, graph, &allocation, 1, &of_kernel));
  ask("cudaGraphAddMemFreeNode(&release, graph, &kernel, 1, parameters.dptr)",
      cudaGraphAddMemFreeNode(&release, graph, &kernel, 1, parameters.dptr));
  say_memory("before instantiation");
  cudaGraphExec_t executable;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  say_memory("instantiated");
  ask("cudaGraphUpload(executable, stream)", cudaGraphUpload(executable, stream));
  cudaStreamSynchronize(stream);
  say_memory("uploaded");
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaStreamSynchronize(stream)", cudaStreamSynchronize(stream));
  say_memory("launched once");
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaStreamSynchronize(stream)", cudaStreamSynchronize(stream));
  say_memory("launched three times");
  ask("cudaMemset(parameters.dptr, 0, 4)", cudaMemset(parameters.dptr, 0, 4));
  ask("cudaFree(parameters.dptr)", cudaFree(parameters.dptr));
  ask("cudaDeviceGraphMemTrim(0)", cudaDeviceGraphMemTrim(0));
  say_memory("trimmed");
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  cudaStreamSynchronize(stream);
  say_memory("launched again");
  ask("cudaGraphExecDestroy(executable)", cudaGraphExecDestroy(executable));
  say_memory("destroyed");
  ask("cudaDeviceGraphMemTrim(0)", cudaDeviceGraphMemTrim(0));
  say_memory("trimmed");
  unsigned long long zero = 0, one = 1;
  ask("cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one)",
      cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one));
  ask("cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero)",
      cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  ask("cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero)",
      cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  ask("cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero)",
      cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero));
  ask("cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, nullptr)",
      cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, nullptr));
  say_memory("high marks reset");
  ask("cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, nullptr)",
      cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, nullptr));
  ask("cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)9, &zero)",
      cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)9, &zero));
  ask("cudaDeviceGetGraphMemAttribute(9, cudaGraphMemAttrUsedMemHigh, &zero)",
      cudaDeviceGetGraphMemAttribute(9, cudaGraphMemAttrUsedMemHigh, &zero));
  ask("cudaDeviceGetGraphMemAttribute(9, cudaGraphMemAttrUsedMemHigh, nullptr)",
      cudaDeviceGetGraphMemAttribute(9, cudaGraphMemAttrUsedMemHigh, nullptr));
  ask("cudaDeviceGraphMemTrim(9)", cudaDeviceGraphMemTrim(9));
}

void outlives() {
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t allocation;
  cudaMemAllocNodeParams parameters = allocation_of(3 << 20);
  cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters);
  cudaGraphExec_t executable;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  cudaStreamSynchronize(stream);
  say_memory("3 MiB launched, not freed");
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaMemset(parameters.dptr, 0, 3 << 20)", cudaMemset(parameters.dptr, 0, 3 << 20));
  cudaPointerAttributes attributes{};
  ask("cudaPointerGetAttributes(&attributes, parameters.dptr)",
      cudaPointerGetAttributes(&attributes, parameters.dptr));
  say("type %d", static_cast<int>(attributes.type));
  ask("cudaDeviceGraphMemTrim(0)", cudaDeviceGraphMemTrim(0));
  say_memory("trimmed while in use");
  ask("cudaFree(parameters.dptr)", cudaFree(parameters.dptr));
  say_memory("cudaFree");
  ask("cudaFree(parameters.dptr)", cudaFree(parameters.dptr));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaFreeAsync(parameters.dptr, stream)", cudaFreeAsync(parameters.dptr, stream));
  ask("cudaFreeAsync(parameters.dptr, stream)", cudaFreeAsync(parameters.dptr, stream));
  cudaStreamSynchronize(stream);
  say_memory("launch, cudaFreeAsync");
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaGraphExecDestroy(executable)", cudaGraphExecDestroy(executable));
  ask("cudaGraphDestroy(graph)", cudaGraphDestroy(graph));
  say_memory("destroyed while not freed");
  ask("cudaMemset(parameters.dptr, 0, 3 << 20)", cudaMemset(parameters.dptr, 0, 3 << 20));
  ask("cudaFree(parameters.dptr)", cudaFree(parameters.dptr));
  say_memory("freed after");
  ask("cudaDeviceGraphMemTrim(0)", cudaDeviceGraphMemTrim(0));
  say_memory("trimmed");
  // freed by another graph
  graph = new_graph();
  parameters = allocation_of(2 << 20);
  cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters);
  cudaGraph_t other = new_graph();
  cudaGraphNode_t release;
  ask("cudaGraphAddMemFreeNode(&release, other, nullptr, 0, parameters.dptr)",
      cudaGraphAddMemFreeNode(&release, other, nullptr, 0, parameters.dptr));
  cudaGraphExec_t of_other;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  ask("cudaGraphInstantiate(&of_other, other, 0)", cudaGraphInstantiate(&of_other, other, 0));
  ask("cudaGraphLaunch(of_other, stream)", cudaGraphLaunch(of_other, stream));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaGraphLaunch(of_other, stream)", cudaGraphLaunch(of_other, stream));
  ask("cudaGraphLaunch(of_other, stream)", cudaGraphLaunch(of_other, stream));
  cudaStreamSynchronize(stream);
  say_memory("2 MiB freed by another graph");
  cudaGraphExecDestroy(executable);
  cudaGraphExecDestroy(of_other);
  // automatic free on launch
  ask("cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch)",
      cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  cudaStreamSynchronize(stream);
  say_memory("auto free, launched twice");
  unsigned long long flags = 0;
  ask("cudaGraphExecGetFlags(executable, &flags)", cudaGraphExecGetFlags(executable, &flags));
  say("flags %llu", flags);
  ask("cudaGraphExecDestroy(executable)", cudaGraphExecDestroy(executable));
  say_memory("auto free, destroyed");
  ask("cudaFree(parameters.dptr)", cudaFree(parameters.dptr));
}

void capture_memory() {
  int *memory = nullptr, *other_memory = nullptr;
  cudaGraph_t graph;
  cudaMallocAsync(&other_memory, 4096, stream);
  int* pinned;
  cudaMallocHost(&pinned, 4096);
  cudaDeviceSynchronize();
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ask("cudaMallocAsync(&memory, 4096, stream)", cudaMallocAsync(&memory, 4096, stream));
  say("pointer %s", memory ? "set" : "null");
  fill<<<1, 32, 0, stream>>>(memory, 7, 10);
  ask("cudaMemcpyAsync(pinned, memory, 40, cudaMemcpyDeviceToHost, stream)",
      cudaMemcpyAsync(pinned, memory, 40, cudaMemcpyDeviceToHost, stream));
  int* zero = (int*)1;
  ask("cudaMallocAsync(&zero, 0, stream)", cudaMallocAsync(&zero, 0, stream));
  say("of 0 bytes: %s", zero ? "set" : "(nil)");
  ask("cudaFreeAsync(memory, stream)", cudaFreeAsync(memory, stream));
  ask("cudaFreeAsync(memory, stream)", cudaFreeAsync(memory, stream));
  ask("cudaFreeAsync(nullptr, stream)", cudaFreeAsync(nullptr, stream));
  ask("cudaFreeAsync(pinned, stream)", cudaFreeAsync(pinned, stream));
  cudaStreamCaptureStatus status;
  ask("cudaStreamIsCapturing(stream, &status)", cudaStreamIsCapturing(stream, &status));
  say("status %d", static_cast<int>(status));
  ask("cudaStreamEndCapture(stream, &graph)", cudaStreamEndCapture(stream, &graph));
  if (graph) {
    size_t count = 0;
    cudaGraphGetNodes(graph, nullptr, &count);
    std::vector<cudaGraphNode_t> nodes(count);
    cudaGraphGetNodes(graph, nodes.data(), &count);
    for (auto one : nodes) {
      cudaGraphNodeType type;
      cudaGraphNodeGetType(one, &type);
      say("node of type %d", static_cast<int>(type));
    }
    cudaGraphExec_t executable;
    ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
    ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
    ask("cudaStreamSynchronize(stream)", cudaStreamSynchronize(stream));
    say("read %d", pinned[9]);
  }
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ask("cudaFreeAsync(other_memory, stream)", cudaFreeAsync(other_memory, stream));
  ask("cudaStreamEndCapture(stream, &graph)", cudaStreamEndCapture(stream, &graph));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ask("cudaFreeAsync(device, stream)", cudaFreeAsync(device, stream));
  ask("cudaStreamEndCapture(stream, &graph)", cudaStreamEndCapture(stream, &graph));
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ask("cudaMallocFromPoolAsync(&memory, 4096, pool, stream)",
      cudaMallocFromPoolAsync(&memory, 4096, pool, stream));
  ask("cudaStreamEndCapture(stream, &graph)", cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable, second;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  ask("cudaGraphInstantiate(&second, graph, 0)", cudaGraphInstantiate(&second, graph, 0));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  cudaGraph_t next_graph;
  ask("cudaStreamEndCapture(stream, &next_graph)", cudaStreamEndCapture(stream, &next_graph));
  ask("cudaFreeAsync(memory, stream)", cudaFreeAsync(memory, stream));
  say_memory("end");
}

void many_sizes() {
  for (size_t bytes : {(size_t)1, (size_t)4096, (size_t)(1 << 20), (size_t)(2 << 20),
                       (size_t)(5 << 20), (size_t)(40 << 20)}) {
    cudaGraph_t graph = new_graph();
    cudaGraphNode_t allocation;
    cudaMemAllocNodeParams parameters = allocation_of(bytes);
    cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    say("bytes %zu back %d", bytes, 0);
    say_memory("after the launch");
    cudaFree(parameters.dptr);
    say_memory("after cudaFree");
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaDeviceGraphMemTrim(0);
    say_memory("destroyed and trimmed");
  }
  // two in one graph, one behind the other's free
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t allocation, release, next_allocation, next_release;
  cudaMemAllocNodeParams parameters = allocation_of(4 << 20), next_parameters = parameters;
  cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters);
  cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, parameters.dptr);
  cudaGraphAddMemAllocNode(&next_allocation, graph, &release, 1, &next_parameters);
  cudaGraphAddMemFreeNode(&next_release, graph, &next_allocation, 1, next_parameters.dptr);
  say("second behind the first one's free: same address %d",
      parameters.dptr == next_parameters.dptr);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  say_memory("two of 4 MiB, one behind the other");
  cudaGraph_t next_graph = new_graph();
  cudaMemAllocNodeParams last_parameters = allocation_of(4 << 20);
  cudaGraphAddMemAllocNode(&allocation, next_graph, nullptr, 0, &last_parameters);
  cudaGraphAddMemFreeNode(&release, next_graph, &allocation, 1, last_parameters.dptr);
  cudaGraphExec_t second;
  cudaGraphInstantiate(&second, next_graph, 0);
  cudaGraphLaunch(second, stream);
  cudaStreamSynchronize(stream);
  say_memory("a second graph of 4 MiB in the same stream");
  cudaStream_t s2;
  cudaStreamCreate(&s2);
  cudaGraphLaunch(second, s2);
  cudaStreamSynchronize(s2);
  say_memory("and in another one");
}

void moved_child() {
  cudaGraph_t graph = new_graph(), inner = new_graph();
  cudaGraphNode_t allocation, release, child_node;
  cudaMemAllocNodeParams parameters = allocation_of(4096);
  cudaGraphAddMemAllocNode(&allocation, inner, nullptr, 0, &parameters);
  cudaGraphAddMemFreeNode(&release, inner, &allocation, 1, parameters.dptr);
  cudaGraphNodeParams of_node{};
  of_node.type = cudaGraphNodeTypeGraph;
  of_node.graph.graph = inner;
  of_node.graph.ownership = cudaGraphChildGraphOwnershipClone;
  ask("cudaGraphAddNode(&child_node, graph, nullptr, nullptr, 0, &of_node)",
      cudaGraphAddNode(&child_node, graph, nullptr, nullptr, 0, &of_node));
  of_node.graph.ownership = cudaGraphChildGraphOwnershipMove;
  ask("cudaGraphAddNode(&child_node, graph, nullptr, nullptr, 0, &of_node)",
      cudaGraphAddNode(&child_node, graph, nullptr, nullptr, 0, &of_node));
  cudaGraph_t got = nullptr;
  ask("cudaGraphChildGraphNodeGetGraph(child_node, &got)",
      cudaGraphChildGraphNodeGetGraph(child_node, &got));
  say("same graph %d", got == inner);
  ask("cudaGraphAddMemAllocNode(&allocation, inner, nullptr, 0, &parameters)",
      cudaGraphAddMemAllocNode(&allocation, inner, nullptr, 0, &parameters));
  cudaGraphExec_t executable, second;
  ask("cudaGraphInstantiate(&second, inner, 0)", cudaGraphInstantiate(&second, inner, 0));
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaStreamSynchronize(stream)", cudaStreamSynchronize(stream));
  ask("cudaGraphDestroy(inner)", cudaGraphDestroy(inner));
  ask("cudaGraphDestroy(graph)", cudaGraphDestroy(graph));
}

}  // namespace graph_record
