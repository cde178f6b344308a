// Streams and events: the runtime's own, under the driver's names.
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
