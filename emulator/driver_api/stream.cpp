// Streams, events and graphs: the runtime's own, under the driver's names.
#include "call.hpp"
#include "copy_of.hpp"
#include "engine/run/queue.hpp"
#include "launch.hpp"

using namespace emu;
using namespace emu::driver;

namespace {

template <class T, class Create>
CUresult create(Owned kind, T* handle, Create&& of_runtime) {
  const cudaError_t error = of_runtime();
  if (error == cudaSuccess) own(kind, *handle);
  return result_of(error);
}

template <class T, class Destroy>
CUresult destroy(Owned kind, T handle, Destroy&& of_runtime) {
  const cudaError_t error = of_runtime(handle);
  if (error == cudaSuccess) disown(kind, handle);
  return result_of(error);
}

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

// ---------------------------------------------------------------------------------------- streams

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return call([&] {
    return create(Owned::stream, stream, [&] { return cudaStreamCreateWithFlags(stream, flags); });
  });
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return call([&] {
    return create(Owned::stream, stream,
                  [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
  });
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  return call([&] { return destroy(Owned::stream, stream, &cudaStreamDestroy); });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return call([&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) {
  return call([&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return call([&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return call([&] { return cudaStreamGetDevice(stream, device); });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return call([&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!valid_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
    *context = owner_of_stream(stream);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return call([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data,
                             unsigned int flags) {
  return call([&] {
    // Both APIs call a callback in the same way: their errors are numbers of one size.
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), data,
                                 flags);
  });
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr at, size_t bytes, unsigned int flags) {
  return call([&] { return cudaStreamAttachMemAsync(stream, pointer(at), bytes, flags); });
}

CUresult cuStreamQuery(CUstream stream) {
  return call([&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return call([&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamCopyAttributes(CUstream target, CUstream source) {
  return call([&] { return cudaStreamCopyAttributes(target, source); });
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return call([&] {
    return cudaStreamGetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                  reinterpret_cast<cudaStreamAttrValue*>(value));
  });
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute,
                              const CUstreamAttrValue* value) {
  return call([&] {
    return cudaStreamSetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                  reinterpret_cast<const cudaStreamAttrValue*>(value));
  });
}

// ----------------------------------------------------------------------------------------- events

CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return call([&] {
    return create(Owned::event, event, [&] { return cudaEventCreateWithFlags(event, flags); });
  });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return call([&] { return cudaEventRecord(event, stream); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  return call([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventQuery(CUevent event) {
  return call([&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return call([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventDestroy_v2(CUevent event) {
  return call([&] { return destroy(Owned::event, event, &cudaEventDestroy); });
}

CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return call([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

// ----------------------------------------------------------------------------------------- graphs

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
