// Functions that are declared so that programs compile, and refuse by name when called.
#include "cuda_runtime_api.h"
#include "emulator/device.h"

using emu::unsupported;

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  unsupported("CUDA graphs (cudaStreamBeginCapture)");
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t, const cudaGraphNode_t*,
                                          const cudaGraphEdgeData*, size_t, cudaStreamCaptureMode) {
  unsupported("CUDA graphs (cudaStreamBeginCaptureToGraph)");
}

cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*) {
  unsupported("CUDA graphs (cudaStreamEndCapture)");
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*,
                                     cudaGraph_t*, const cudaGraphNode_t**,
                                     const cudaGraphEdgeData**, size_t*) {
  unsupported("CUDA graphs (cudaStreamGetCaptureInfo)");
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t*,
                                                const cudaGraphEdgeData*, size_t, unsigned int) {
  unsupported("CUDA graphs (cudaStreamUpdateCaptureDependencies)");
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
  unsupported("CUDA graphs (cudaThreadExchangeStreamCaptureMode)");
}

cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned int) {
  unsupported("CUDA graphs (cudaGraphCreate)");
}

cudaError_t cudaGraphDestroy(cudaGraph_t) { unsupported("CUDA graphs (cudaGraphDestroy)"); }

cudaError_t cudaGraphClone(cudaGraph_t*, cudaGraph_t) {
  unsupported("CUDA graphs (cudaGraphClone)");
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaKernelNodeParams*) {
  unsupported("CUDA graphs (cudaGraphAddKernelNode)");
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaMemcpy3DParms*) {
  unsupported("CUDA graphs (cudaGraphAddMemcpyNode)");
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                     void*, const void*, size_t, cudaMemcpyKind) {
  unsupported("CUDA graphs (cudaGraphAddMemcpyNode1D)");
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaMemsetParams*) {
  unsupported("CUDA graphs (cudaGraphAddMemsetNode)");
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                 const cudaHostNodeParams*) {
  unsupported("CUDA graphs (cudaGraphAddHostNode)");
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*,
                                       size_t, cudaGraph_t) {
  unsupported("CUDA graphs (cudaGraphAddChildGraphNode)");
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t) {
  unsupported("CUDA graphs (cudaGraphAddEmptyNode)");
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                     const cudaGraphEdgeData*, size_t) {
  unsupported("CUDA graphs (cudaGraphAddDependencies)");
}

cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size_t*) {
  unsupported("CUDA graphs (cudaGraphGetNodes)");
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t, cudaGraphNode_t*, size_t*) {
  unsupported("CUDA graphs (cudaGraphGetRootNodes)");
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType*) {
  unsupported("CUDA graphs (cudaGraphNodeGetType)");
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, cudaKernelNodeParams*) {
  unsupported("CUDA graphs (cudaGraphKernelNodeGetParams)");
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t, const cudaKernelNodeParams*) {
  unsupported("CUDA graphs (cudaGraphKernelNodeSetParams)");
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long) {
  unsupported("CUDA graphs (cudaGraphInstantiate)");
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t*, cudaGraph_t, unsigned long long) {
  unsupported("CUDA graphs (cudaGraphInstantiateWithFlags)");
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  unsupported("CUDA graphs (cudaGraphUpload)");
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  unsupported("CUDA graphs (cudaGraphLaunch)");
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo*) {
  unsupported("CUDA graphs (cudaGraphExecUpdate)");
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             const cudaKernelNodeParams*) {
  unsupported("CUDA graphs (cudaGraphExecKernelNodeSetParams)");
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  unsupported("CUDA graphs (cudaGraphExecDestroy)");
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned int) {
  unsupported("CUDA graphs (cudaGraphDebugDotPrint)");
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc*, cudaArray_const_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaGetChannelDesc)");
}

cudaError_t cudaMallocArray(cudaArray_t*, const cudaChannelFormatDesc*, size_t, size_t,
                            unsigned int) {
  unsupported("CUDA arrays, textures and surfaces (cudaMallocArray)");
}

cudaError_t cudaMalloc3DArray(cudaArray_t*, const cudaChannelFormatDesc*, cudaExtent,
                              unsigned int) {
  unsupported("CUDA arrays, textures and surfaces (cudaMalloc3DArray)");
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const cudaChannelFormatDesc*,
                                     cudaExtent, unsigned int, unsigned int) {
  unsupported("CUDA arrays, textures and surfaces (cudaMallocMipmappedArray)");
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_const_t, unsigned int) {
  unsupported("CUDA arrays, textures and surfaces (cudaGetMipmappedArrayLevel)");
}

cudaError_t cudaFreeArray(cudaArray_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaFreeArray)");
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaFreeMipmappedArray)");
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc*, cudaExtent*, unsigned int*, cudaArray_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaArrayGetInfo)");
}

cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void*, size_t, cudaMemcpyKind) {
  unsupported("CUDA arrays, textures and surfaces (cudaMemcpyToArray)");
}

cudaError_t cudaMemcpyFromArray(void*, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind) {
  unsupported("CUDA arrays, textures and surfaces (cudaMemcpyFromArray)");
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t,
                                cudaMemcpyKind) {
  unsupported("CUDA arrays, textures and surfaces (cudaMemcpy2DToArray)");
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void*, size_t, size_t,
                                     size_t, cudaMemcpyKind, cudaStream_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaMemcpy2DToArrayAsync)");
}

cudaError_t cudaMemcpy2DFromArray(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                  cudaMemcpyKind) {
  unsupported("CUDA arrays, textures and surfaces (cudaMemcpy2DFromArray)");
}

cudaError_t cudaMemcpy2DFromArrayAsync(void*, size_t, cudaArray_const_t, size_t, size_t, size_t,
                                       size_t, cudaMemcpyKind, cudaStream_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaMemcpy2DFromArrayAsync)");
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t,
                                     size_t, size_t, cudaMemcpyKind) {
  unsupported("CUDA arrays, textures and surfaces (cudaMemcpy2DArrayToArray)");
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t*, const cudaResourceDesc*,
                                    const cudaTextureDesc*, const cudaResourceViewDesc*) {
  unsupported("CUDA arrays, textures and surfaces (cudaCreateTextureObject)");
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaDestroyTextureObject)");
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc*, cudaTextureObject_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaGetTextureObjectResourceDesc)");
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc*, cudaTextureObject_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaGetTextureObjectTextureDesc)");
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*, const cudaResourceDesc*) {
  unsupported("CUDA arrays, textures and surfaces (cudaCreateSurfaceObject)");
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaDestroySurfaceObject)");
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc*, cudaSurfaceObject_t) {
  unsupported("CUDA arrays, textures and surfaces (cudaGetSurfaceObjectResourceDesc)");
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  unsupported("inter-process handles (cudaIpcGetEventHandle)");
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  unsupported("inter-process handles (cudaIpcOpenEventHandle)");
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) {
  unsupported("inter-process handles (cudaIpcGetMemHandle)");
}

cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int) {
  unsupported("inter-process handles (cudaIpcOpenMemHandle)");
}

cudaError_t cudaIpcCloseMemHandle(void*) {
  unsupported("inter-process handles (cudaIpcCloseMemHandle)");
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, const void*, const cudaLaunchConfig_t*) {
  unsupported("thread block clusters (cudaOccupancyMaxPotentialClusterSize)");
}

cudaError_t cudaOccupancyMaxActiveClusters(int*, const void*, const cudaLaunchConfig_t*) {
  unsupported("thread block clusters (cudaOccupancyMaxActiveClusters)");
}

cudaError_t cudaMemRangeGetAttribute(void*, size_t, cudaMemRangeAttribute, const void*, size_t) {
  unsupported("attributes of managed memory (cudaMemRangeGetAttribute)");
}

// Formats are plain data.
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
