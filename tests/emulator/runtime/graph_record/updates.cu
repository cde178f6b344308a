// Prints what CUDA answers about graphs: updates, instantiation and user objects.
#include <unistd.h>

#include "answers.hpp"

namespace graph_record {

namespace {

__global__ void add(int* to, int value) { *to += value; }
__global__ void multiply(int* by, int value) { *by *= value; }

}  // namespace

void updates() {
  int one = 1;
  void* arguments[] = {&device, &one};
  cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(add), arguments),
                       other = launch_of(reinterpret_cast<void*>(multiply), arguments);
  auto chain = [&](int edges, bool extra, cudaKernelNodeParams parameters) {
    cudaGraph_t graph = new_graph();
    cudaGraphNode_t begin, middle, end, more;
    cudaGraphAddKernelNode(&begin, graph, nullptr, 0, &of_kernel);
    cudaGraphAddKernelNode(&middle, graph, &begin, edges >= 1, &parameters);
    cudaGraphAddKernelNode(&end, graph, edges == 3 ? &begin : &middle, edges >= 2, &of_kernel);
    if (extra) cudaGraphAddEmptyNode(&more, graph, &end, 1);
    return graph;
  };
  cudaGraphExec_t executable;
  ask("cudaGraphInstantiate(&executable, chain(2, false, of_kernel), 0)",
      cudaGraphInstantiate(&executable, chain(2, false, of_kernel), 0));
  say_update(executable, chain(2, false, of_kernel), "the same");
  say_update(executable, chain(2, true, of_kernel), "one node more");
  say_update(executable, chain(1, false, of_kernel), "one edge less");
  say_update(executable, chain(3, false, of_kernel), "an edge from elsewhere");
  say_update(executable, chain(2, false, other), "another function");
  cudaGraph_t graph = new_graph();
  cudaGraphNode_t begin, middle, end;
  cudaGraphAddKernelNode(&begin, graph, nullptr, 0, &of_kernel);
  cudaGraphAddEmptyNode(&middle, graph, &begin, 1);
  cudaGraphAddKernelNode(&end, graph, &middle, 1, &of_kernel);
  say_update(executable, graph, "another kind of node");
  graph = new_graph();
  cudaGraphAddKernelNode(&begin, graph, nullptr, 0, &of_kernel);
  say_update(executable, graph, "nodes less");
  graph = new_graph();
  cudaGraphAddKernelNode(&begin, graph, nullptr, 0, &of_kernel);
  cudaGraphAddKernelNode(&middle, graph, nullptr, 0, &of_kernel);
  cudaGraphAddKernelNode(&end, graph, nullptr, 0, &of_kernel);
  cudaGraphAddDependencies(graph, &end, &middle, nullptr, 1);
  cudaGraphAddDependencies(graph, &middle, &begin, nullptr, 1);
  say_update(executable, graph, "the same chain added backwards");
  ask("cudaGraphExecUpdate(executable, graph, nullptr)",
      cudaGraphExecUpdate(executable, graph, nullptr));
  cudaGraphExecUpdateResultInfo info;
  ask("cudaGraphExecUpdate(nullptr, graph, &info)", cudaGraphExecUpdate(nullptr, graph, &info));
  ask("cudaGraphExecUpdate(executable, nullptr, &info)",
      cudaGraphExecUpdate(executable, nullptr, &info));
  // copies
  int* host;
  cudaMallocHost(&host, 4096);
  auto copy = [&](void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    cudaGraph_t made = new_graph();
    cudaGraphNode_t node;
    cudaGraphAddMemcpyNode1D(&node, made, nullptr, 0, to, from, bytes, kind);
    return made;
  };
  ask("cudaGraphInstantiate(&executable, copy(host, device, 40, cudaMemcpyDeviceToHost), 0)",
      cudaGraphInstantiate(&executable, copy(host, device, 40, cudaMemcpyDeviceToHost), 0));
  say_update(executable, copy(host + 100, device, 40, cudaMemcpyDeviceToHost), "copy elsewhere");
  say_update(executable, copy(host, device, 80, cudaMemcpyDeviceToHost), "copy of more");
  say_update(executable, copy(device, host, 40, cudaMemcpyHostToDevice), "copy the other way");
  auto set = [&](unsigned element, size_t width, size_t height, unsigned nodes) {
    cudaGraph_t made = new_graph();
    cudaGraphNode_t node;
    cudaMemsetParams of_fill{};
    of_fill.dst = device;
    of_fill.elementSize = element;
    of_fill.width = width;
    of_fill.height = height;
    of_fill.pitch = 64;
    of_fill.value = nodes;
    cudaGraphAddMemsetNode(&node, made, nullptr, 0, &of_fill);
    return made;
  };
  ask("cudaGraphInstantiate(&executable, set(4, 4, 1, 1), 0)",
      cudaGraphInstantiate(&executable, set(4, 4, 1, 1), 0));
  say_update(executable, set(4, 4, 1, 2), "another value");
  say_update(executable, set(4, 8, 1, 2), "more elements");
  say_update(executable, set(1, 4, 1, 2), "another element size");
  say_update(executable, set(4, 4, 2, 2), "more rows");
  auto mem = [&](size_t bytes) {
    cudaGraph_t made = new_graph();
    cudaGraphNode_t node, release;
    cudaMemAllocNodeParams parameters = allocation_of(bytes);
    cudaGraphAddMemAllocNode(&node, made, nullptr, 0, &parameters);
    cudaGraphAddMemFreeNode(&release, made, &node, 1, parameters.dptr);
    return made;
  };
  cudaGraph_t memory_graph = mem(4096);
  ask("cudaGraphInstantiate(&executable, memory_graph, 0)",
      cudaGraphInstantiate(&executable, memory_graph, 0));
  say_update(executable, memory_graph, "memory nodes, the same graph");
  say_update(executable, mem(4096), "memory nodes, an equal graph");
  say_update(executable, mem(8192), "memory nodes, another size");
  auto cond = [&](unsigned size) {
    cudaGraph_t made = new_graph();
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalHandleCreate(&handle, made, 1, 1);
    cudaGraphNode_t node, kernel;
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeIf;
    parameters.conditional.size = size;
    cudaGraphAddNode(&node, made, nullptr, nullptr, 0, &parameters);
    cudaGraphAddKernelNode(&kernel, parameters.conditional.phGraph_out[0], nullptr, 0, &of_kernel);
    return made;
  };
  ask("cudaGraphInstantiate(&executable, cond(1), 0)",
      cudaGraphInstantiate(&executable, cond(1), 0));
  say_update(executable, cond(1), "a condition");
  say_update(executable, cond(2), "a condition with else");
  auto child = [&](cudaKernelNodeParams parameters, int count) {
    cudaGraph_t made = new_graph(), inner = new_graph();
    cudaGraphNode_t node;
    for (int i = 0; i < count; ++i) cudaGraphAddKernelNode(&node, inner, nullptr, 0, &parameters);
    cudaGraphAddChildGraphNode(&node, made, nullptr, 0, inner);
    return made;
  };
  ask("cudaGraphInstantiate(&executable, child(of_kernel, 1), 0)",
      cudaGraphInstantiate(&executable, child(of_kernel, 1), 0));
  say_update(executable, child(of_kernel, 1), "a child");
  say_update(executable, child(other, 1), "a child with another kernel");
  say_update(executable, child(of_kernel, 2), "a child with more nodes");
  // instantiation
  graph = chain(2, false, of_kernel);
  size_t node = 3;
  cudaGraphNode_t nodes[3];
  cudaGraphGetNodes(graph, nodes, &node);
  cudaGraphAddDependencies(graph, &nodes[2], &nodes[0], nullptr, 1);
  cudaGraphInstantiateParams how{};
  how.errNode_out = (cudaGraphNode_t)1;
  ask("cudaGraphInstantiateWithParams(&executable, graph, &how)",
      cudaGraphInstantiateWithParams(&executable, graph, &how));
  say("cycle: result %d node %s", static_cast<int>(how.result_out),
      how.errNode_out == nullptr              ? "null"
      : how.errNode_out == (cudaGraphNode_t)1 ? "untouched"
                                              : "set");
  ask("cudaGraphInstantiateWithParams(&executable, graph, nullptr)",
      cudaGraphInstantiateWithParams(&executable, graph, nullptr));
  how.flags = 64;
  graph = chain(2, false, of_kernel);
  ask("cudaGraphInstantiateWithParams(&executable, graph, &how)",
      cudaGraphInstantiateWithParams(&executable, graph, &how));
  say("result %d", static_cast<int>(how.result_out));
  how.flags = cudaGraphInstantiateFlagUpload;
  how.uploadStream = stream;
  ask("cudaGraphInstantiateWithParams(&executable, graph, &how)",
      cudaGraphInstantiateWithParams(&executable, graph, &how));
  say("result %d", static_cast<int>(how.result_out));
  ask("cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagUpload)",
      cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagUpload));
  ask("cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagDeviceLaunch)",
      cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagDeviceLaunch));
  ask("cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagDeviceLaunch | "
      "cudaGraphInstantiateFlagAutoFreeOnLaunch)",
      cudaGraphInstantiate(
          &executable, graph,
          cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagAutoFreeOnLaunch));
  unsigned long long flags;
  ask("cudaGraphExecGetFlags(executable, nullptr)", cudaGraphExecGetFlags(executable, nullptr));
  ask("cudaGraphExecGetFlags(executable, &flags)", cudaGraphExecGetFlags(executable, &flags));
  say("flags %llu", flags);
  graph = new_graph();
  cudaHostNodeParams of_host{};
  of_host.fn = [](void*) {};
  cudaGraphAddHostNode(&begin, graph, nullptr, 0, &of_host);
  how = {};
  how.flags = cudaGraphInstantiateFlagDeviceLaunch;
  ask("cudaGraphInstantiateWithParams(&executable, graph, &how)",
      cudaGraphInstantiateWithParams(&executable, graph, &how));
  say("result %d node %s", static_cast<int>(how.result_out),
      how.errNode_out == begin ? "the host node"
      : how.errNode_out        ? "set"
                               : "null");
}

void user_objects() {
  static int gone = 0;
  auto destroy = [](void* parameters) { ++*(int*)parameters; };
  cudaUserObject_t object = nullptr;
  ask("cudaUserObjectCreate(nullptr, &gone, destroy, 1, cudaUserObjectNoDestructorSync)",
      cudaUserObjectCreate(nullptr, &gone, destroy, 1, cudaUserObjectNoDestructorSync));
  ask("cudaUserObjectCreate(&object, &gone, nullptr, 1, cudaUserObjectNoDestructorSync)",
      cudaUserObjectCreate(&object, &gone, nullptr, 1, cudaUserObjectNoDestructorSync));
  ask("cudaUserObjectCreate(&object, &gone, destroy, 0, cudaUserObjectNoDestructorSync)",
      cudaUserObjectCreate(&object, &gone, destroy, 0, cudaUserObjectNoDestructorSync));
  ask("cudaUserObjectCreate(&object, &gone, destroy, 1, 0)",
      cudaUserObjectCreate(&object, &gone, destroy, 1, 0));
  ask("cudaUserObjectCreate(&object, nullptr, destroy, 1, cudaUserObjectNoDestructorSync)",
      cudaUserObjectCreate(&object, nullptr, destroy, 1, cudaUserObjectNoDestructorSync));
  ask("cudaUserObjectCreate(&object, &gone, destroy, 1, cudaUserObjectNoDestructorSync)",
      cudaUserObjectCreate(&object, &gone, destroy, 1, cudaUserObjectNoDestructorSync));
  ask("cudaUserObjectRetain(object, 2)", cudaUserObjectRetain(object, 2));
  ask("cudaUserObjectRetain(object, 0)", cudaUserObjectRetain(object, 0));
  ask("cudaUserObjectRelease(object, 0)", cudaUserObjectRelease(object, 0));
  ask("cudaUserObjectRelease(object, 2)", cudaUserObjectRelease(object, 2));
  say("gone %d", gone);
  cudaGraph_t graph = new_graph(), clone;
  ask("cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove)",
      cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  ask("cudaGraphRetainUserObject(graph, object, 1, 4)",
      cudaGraphRetainUserObject(graph, object, 1, 4));
  ask("cudaGraphRetainUserObject(graph, object, 0, 0)",
      cudaGraphRetainUserObject(graph, object, 0, 0));
  ask("cudaGraphRetainUserObject(graph, nullptr, 1, 0)",
      cudaGraphRetainUserObject(graph, nullptr, 1, 0));
  ask("cudaGraphRetainUserObject(nullptr, object, 1, 0)",
      cudaGraphRetainUserObject(nullptr, object, 1, 0));
  ask("cudaGraphRetainUserObject(graph, object, 1)", cudaGraphRetainUserObject(graph, object, 1));
  ask("cudaGraphReleaseUserObject(graph, object, 1)", cudaGraphReleaseUserObject(graph, object, 1));
  ask("cudaGraphReleaseUserObject(graph, object, 5)", cudaGraphReleaseUserObject(graph, object, 5));
  ask("cudaGraphClone(&clone, graph)", cudaGraphClone(&clone, graph));
  int one = 1;
  void* arguments[] = {&device, &one};
  cudaKernelNodeParams of_kernel = launch_of(reinterpret_cast<void*>(add), arguments);
  cudaGraphNode_t kernel;
  cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &of_kernel);
  cudaGraphExec_t executable;
  ask("cudaGraphInstantiate(&executable, graph, 0)", cudaGraphInstantiate(&executable, graph, 0));
  ask("cudaGraphDestroy(graph)", cudaGraphDestroy(graph));
  usleep(200000);
  say("gone after the graph %d", gone);
  ask("cudaGraphDestroy(clone)", cudaGraphDestroy(clone));
  usleep(200000);
  say("gone after the clone %d", gone);
  ask("cudaGraphLaunch(executable, stream)", cudaGraphLaunch(executable, stream));
  ask("cudaStreamSynchronize(stream)", cudaStreamSynchronize(stream));
  ask("cudaGraphExecDestroy(executable)", cudaGraphExecDestroy(executable));
  usleep(200000);
  say("gone after the executable %d", gone);
  ask("cudaUserObjectCreate(&object, &gone, destroy, 3, cudaUserObjectNoDestructorSync)",
      cudaUserObjectCreate(&object, &gone, destroy, 3, cudaUserObjectNoDestructorSync));
  ask("cudaUserObjectRelease(object, 3)", cudaUserObjectRelease(object, 3));
  usleep(200000);
  say("gone %d", gone);
  // released too often within a graph
  graph = new_graph();
  ask("cudaUserObjectCreate(&object, &gone, destroy, 1, cudaUserObjectNoDestructorSync)",
      cudaUserObjectCreate(&object, &gone, destroy, 1, cudaUserObjectNoDestructorSync));
  ask("cudaGraphReleaseUserObject(graph, object, 1)", cudaGraphReleaseUserObject(graph, object, 1));
}

}  // namespace graph_record
