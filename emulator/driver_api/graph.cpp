// Graphs: the runtime's own, under the driver's names.
#include "call.hpp"
#include "copy_of.hpp"
#include "launch.hpp"

using namespace emu;
using namespace emu::driver;

namespace {

/// Calls `body` with the runtime's form of a kernel node's parameters.
template <class F>
CUresult with_kernel(const CUDA_KERNEL_NODE_PARAMS* given, F&& body) {
  if (given == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUfunc_st* const function =
      given->func ? function_of(given->func) : function_of(given->kern);
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Arguments arguments;
  const CUresult error = arguments.read(*function, given->kernelParams, given->extra);
  if (error != CUDA_SUCCESS) return error;
  cudaKernelNodeParams parameters{};
  parameters.func = const_cast<void*>(function->kernel);
  parameters.gridDim = {given->gridDimX, given->gridDimY, given->gridDimZ};
  parameters.blockDim = {given->blockDimX, given->blockDimY, given->blockDimZ};
  parameters.sharedMemBytes = given->sharedMemBytes;
  parameters.kernelParams = arguments.addresses();
  return result_of(body(parameters));
}

const cudaGraphEdgeData* edges_of(const CUgraphEdgeData* edges) {
  return reinterpret_cast<const cudaGraphEdgeData*>(edges);
}

}  // namespace

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return call(
      [&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return call([&] { return cudaStreamEndCapture(stream, graph); });
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return call([&] {
    return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status));
  });
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return call<Needs::driver>([&] {
    return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode));
  });
}

CUresult cuGraphCreate(CUgraph* graph, unsigned int flags) {
  return call<Needs::driver>([&] { return cudaGraphCreate(graph, flags); });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return call<Needs::driver>([&] { return cudaGraphDestroy(graph); });
}

CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
  return call<Needs::driver>([&] { return cudaGraphClone(clone, graph); });
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return call([&] {
    return with_kernel(parameters, [&](const cudaKernelNodeParams& kernel) {
      return cudaGraphAddKernelNode(node, graph, dependencies, count, &kernel);
    });
  });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return call([&] {
    if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaMemsetParams fill = {pointer(parameters->dst), parameters->pitch, parameters->value,
                                   parameters->elementSize,  parameters->width, parameters->height};
    return result_of(cudaGraphAddMemsetNode(node, graph, dependencies, count, &fill));
  });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMCPY3D* copy, CUcontext) {
  return call([&] {
    cudaMemcpy3DParms parameters;
    if (const CUresult error = read_copy(copy, parameters); error != CUDA_SUCCESS) return error;
    return result_of(cudaGraphAddMemcpyNode(node, graph, dependencies, count, &parameters));
  });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS* parameters) {
  return call([&] {
    if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const cudaHostNodeParams function = {parameters->fn, parameters->userData};
    return result_of(cudaGraphAddHostNode(node, graph, dependencies, count, &function));
  });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child) {
  return call([&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
  return call([&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, size_t count) {
  return call([&] { return cudaGraphAddDependencies(graph, from, to, edges_of(edges), count); });
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edges, size_t count) {
  return call([&] { return cudaGraphRemoveDependencies(graph, from, to, edges_of(edges), count); });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return call<Needs::driver>([&] { return cudaGraphGetNodes(graph, nodes, count); });
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return call<Needs::driver>([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return call<Needs::driver>(
      [&] { return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType*>(type)); });
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  return call<Needs::driver>([&] { return cudaGraphDestroyNode(node); });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph,
                                     unsigned long long flags) {
  return call([&] { return cudaGraphInstantiate(executable, graph, flags); });
}

CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
  return call([&] { return cudaGraphUpload(executable, stream); });
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return call([&] { return cudaGraphLaunch(executable, stream); });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph,
                              CUgraphExecUpdateResultInfo* result) {
  static_assert(sizeof(*result) == sizeof(cudaGraphExecUpdateResultInfo));
  return call([&] {
    return cudaGraphExecUpdate(executable, graph,
                               reinterpret_cast<cudaGraphExecUpdateResultInfo*>(result));
  });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return call([&] {
    return with_kernel(parameters, [&](const cudaKernelNodeParams& kernel) {
      return cudaGraphExecKernelNodeSetParams(executable, node, &kernel);
    });
  });
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return call<Needs::driver>([&] { return cudaGraphExecDestroy(executable); });
}

// -------------------------------------------------------------- what the runtime calls by its name

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                     size_t count, CUstreamCaptureMode mode) {
  return call([&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, edges_of(edges), count,
                                         static_cast<cudaStreamCaptureMode>(mode));
  });
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edges, size_t* count) {
  return call([&] {
    return cudaStreamGetCaptureInfo(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status),
                                    reinterpret_cast<unsigned long long*>(id), graph, dependencies,
                                    reinterpret_cast<const cudaGraphEdgeData**>(edges), count);
  });
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies,
                                              const CUgraphEdgeData* edges, size_t count,
                                              unsigned int flags) {
  return call([&] {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, edges_of(edges), count, flags);
  });
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* edges, size_t* count) {
  return call<Needs::driver>([&] {
    return cudaGraphGetEdges(graph, from, to, reinterpret_cast<cudaGraphEdgeData*>(edges), count);
  });
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* dependencies,
                                       CUgraphEdgeData* edges, size_t* count) {
  return call<Needs::driver>([&] {
    return cudaGraphNodeGetDependencies(node, dependencies,
                                        reinterpret_cast<cudaGraphEdgeData*>(edges), count);
  });
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* dependents,
                                         CUgraphEdgeData* edges, size_t* count) {
  return call<Needs::driver>([&] {
    return cudaGraphNodeGetDependentNodes(node, dependents,
                                          reinterpret_cast<cudaGraphEdgeData*>(edges), count);
  });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
  return call<Needs::driver>([&] { return cudaGraphNodeFindInClone(node, original, clone); });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int flags) {
  return call<Needs::driver>([&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int isEnabled) {
  return call([&] { return cudaGraphNodeSetEnabled(executable, node, isEnabled); });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec executable, CUgraphNode node, unsigned int* isEnabled) {
  return call([&] { return cudaGraphNodeGetEnabled(executable, node, isEnabled); });
}

CUresult cuGraphExecGetFlags(CUgraphExec executable, cuuint64_t* flags) {
  return call([&] {
    return cudaGraphExecGetFlags(executable, reinterpret_cast<unsigned long long*>(flags));
  });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return call<Needs::driver>([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  return call([&] { return cudaGraphExecChildGraphNodeSetParams(executable, node, child); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count, CUevent event) {
  return call([&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event) {
  return call([&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count, CUdeviceptr memory) {
  return call(
      [&] { return cudaGraphAddMemFreeNode(node, graph, dependencies, count, pointer(memory)); });
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return call<Needs::driver>([&] { return cudaDeviceGraphMemTrim(device); });
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return call<Needs::driver>([&] {
    return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                          value);
  });
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute,
                                      void* value) {
  return call<Needs::driver>([&] {
    return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute),
                                          value);
  });
}

CUresult cuUserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy,
                            unsigned int references, unsigned int flags) {
  return call<Needs::driver>(
      [&] { return cudaUserObjectCreate(object, data, destroy, references, flags); });
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
  return call<Needs::driver>([&] { return cudaUserObjectRetain(object, count); });
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  return call<Needs::driver>([&] { return cudaUserObjectRelease(object, count); });
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                 unsigned int flags) {
  return call<Needs::driver>(
      [&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
  return call<Needs::driver>([&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
