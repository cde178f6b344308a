// Error codes: names, and which errors a thread or the whole device remembers.
#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "cuda_runtime_api.h"
#include "engine/check/check_host.hpp"
#include "lane_call.hpp"
#include "runtime.hpp"

namespace emu {

namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local int host_functions_running = 0;
std::atomic<cudaError_t> device_error{cudaSuccess};

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* description;
};

// In ascending order of the code. Descriptions are the texts of a GPU's runtime, because programs
// and users search for them.
constexpr std::array kErrors = {
    ErrorText{cudaSuccess, "cudaSuccess", "no error"},
    ErrorText{cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    ErrorText{cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    ErrorText{cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    ErrorText{cudaErrorCudartUnloading, "cudaErrorCudartUnloading", "driver shutting down"},
    ErrorText{cudaErrorProfilerDisabled, "cudaErrorProfilerDisabled",
              "profiler disabled while using external profiling tool"},
    ErrorText{cudaErrorProfilerNotInitialized, "cudaErrorProfilerNotInitialized",
              "profiler not initialized: call cudaProfilerInitialize()"},
    ErrorText{cudaErrorProfilerAlreadyStarted, "cudaErrorProfilerAlreadyStarted",
              "profiler already started"},
    ErrorText{cudaErrorProfilerAlreadyStopped, "cudaErrorProfilerAlreadyStopped",
              "profiler already stopped"},
    ErrorText{cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
              "invalid configuration argument"},
    ErrorText{cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    ErrorText{cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    ErrorText{cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    ErrorText{cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer",
              "invalid device pointer"},
    ErrorText{cudaErrorInvalidTexture, "cudaErrorInvalidTexture", "invalid texture reference"},
    ErrorText{cudaErrorInvalidTextureBinding, "cudaErrorInvalidTextureBinding",
              "texture is not bound to a pointer"},
    ErrorText{cudaErrorInvalidChannelDescriptor, "cudaErrorInvalidChannelDescriptor",
              "invalid channel descriptor"},
    ErrorText{cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
              "invalid copy direction for memcpy"},
    ErrorText{cudaErrorAddressOfConstant, "cudaErrorAddressOfConstant",
              "invalid address of constant"},
    ErrorText{cudaErrorTextureFetchFailed, "cudaErrorTextureFetchFailed",
              "fetch from texture failed"},
    ErrorText{cudaErrorTextureNotBound, "cudaErrorTextureNotBound",
              "cannot fetch from a texture that is not bound"},
    ErrorText{cudaErrorSynchronizationError, "cudaErrorSynchronizationError",
              "incorrect use of __syncthreads()"},
    ErrorText{cudaErrorInvalidFilterSetting, "cudaErrorInvalidFilterSetting",
              "linear filtering not supported for non-float type"},
    ErrorText{cudaErrorInvalidNormSetting, "cudaErrorInvalidNormSetting",
              "read as normalized float not supported for data type"},
    ErrorText{cudaErrorMixedDeviceExecution, "cudaErrorMixedDeviceExecution",
              "device emulation mode and device execution mode cannot be mixed"},
    ErrorText{cudaErrorNotYetImplemented, "cudaErrorNotYetImplemented",
              "feature not yet implemented"},
    ErrorText{cudaErrorMemoryValueTooLarge, "cudaErrorMemoryValueTooLarge",
              "memory size or pointer value too large to fit in 32 bit"},
    ErrorText{cudaErrorStubLibrary, "cudaErrorStubLibrary", "CUDA driver is a stub library"},
    ErrorText{cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
              "CUDA driver version is insufficient for CUDA runtime version"},
    ErrorText{cudaErrorCallRequiresNewerDriver, "cudaErrorCallRequiresNewerDriver",
              "API call is not supported in the installed CUDA driver"},
    ErrorText{cudaErrorInvalidSurface, "cudaErrorInvalidSurface", "invalid surface reference"},
    ErrorText{cudaErrorDuplicateVariableName, "cudaErrorDuplicateVariableName",
              "duplicate global variable looked up by string name"},
    ErrorText{cudaErrorDuplicateTextureName, "cudaErrorDuplicateTextureName",
              "duplicate texture looked up by string name"},
    ErrorText{cudaErrorDuplicateSurfaceName, "cudaErrorDuplicateSurfaceName",
              "duplicate surface looked up by string name"},
    ErrorText{cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
              "CUDA-capable device(s) is/are busy or unavailable"},
    ErrorText{cudaErrorIncompatibleDriverContext, "cudaErrorIncompatibleDriverContext",
              "incompatible driver context"},
    ErrorText{cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration",
              "__global__ function call is not configured"},
    ErrorText{cudaErrorPriorLaunchFailure, "cudaErrorPriorLaunchFailure",
              "unspecified launch failure in prior launch"},
    ErrorText{cudaErrorLaunchMaxDepthExceeded, "cudaErrorLaunchMaxDepthExceeded",
              "launch would exceed maximum depth of nested launches"},
    ErrorText{cudaErrorLaunchFileScopedTex, "cudaErrorLaunchFileScopedTex",
              "launch failed because kernel uses unsupported, file-scoped textures (texture "
              "objects are supported)"},
    ErrorText{cudaErrorLaunchFileScopedSurf, "cudaErrorLaunchFileScopedSurf",
              "launch failed because kernel uses unsupported, file-scoped surfaces (surface "
              "objects are supported)"},
    ErrorText{cudaErrorSyncDepthExceeded, "cudaErrorSyncDepthExceeded",
              "cudaDeviceSynchronize failed because caller's grid depth exceeds "
              "cudaLimitDevRuntimeSyncDepth"},
    ErrorText{cudaErrorLaunchPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded",
              "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    ErrorText{cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction",
              "invalid device function"},
    ErrorText{cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    ErrorText{cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    ErrorText{cudaErrorDeviceNotLicensed, "cudaErrorDeviceNotLicensed",
              "device doesn't have valid Grid license"},
    ErrorText{cudaErrorSoftwareValidityNotEstablished, "cudaErrorSoftwareValidityNotEstablished",
              "integrity checks failed"},
    ErrorText{cudaErrorStartupFailure, "cudaErrorStartupFailure",
              "startup failure in cuda runtime"},
    ErrorText{cudaErrorInvalidKernelImage, "cudaErrorInvalidKernelImage",
              "device kernel image is invalid"},
    ErrorText{cudaErrorDeviceUninitialized, "cudaErrorDeviceUninitialized",
              "invalid device context"},
    ErrorText{cudaErrorMapBufferObjectFailed, "cudaErrorMapBufferObjectFailed",
              "mapping of buffer object failed"},
    ErrorText{cudaErrorUnmapBufferObjectFailed, "cudaErrorUnmapBufferObjectFailed",
              "unmapping of buffer object failed"},
    ErrorText{cudaErrorArrayIsMapped, "cudaErrorArrayIsMapped", "array is mapped"},
    ErrorText{cudaErrorAlreadyMapped, "cudaErrorAlreadyMapped", "resource already mapped"},
    ErrorText{cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
              "no kernel image is available for execution on the device"},
    ErrorText{cudaErrorAlreadyAcquired, "cudaErrorAlreadyAcquired", "resource already acquired"},
    ErrorText{cudaErrorNotMapped, "cudaErrorNotMapped", "resource not mapped"},
    ErrorText{cudaErrorNotMappedAsArray, "cudaErrorNotMappedAsArray",
              "resource not mapped as array"},
    ErrorText{cudaErrorNotMappedAsPointer, "cudaErrorNotMappedAsPointer",
              "resource not mapped as pointer"},
    ErrorText{cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable",
              "uncorrectable ECC error encountered"},
    ErrorText{cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit",
              "limit is not supported on this architecture"},
    ErrorText{cudaErrorDeviceAlreadyInUse, "cudaErrorDeviceAlreadyInUse",
              "exclusive-thread device already in use by a different thread"},
    ErrorText{cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
              "peer access is not supported between these two devices"},
    ErrorText{cudaErrorInvalidPtx, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    ErrorText{cudaErrorInvalidGraphicsContext, "cudaErrorInvalidGraphicsContext",
              "invalid OpenGL or DirectX context"},
    ErrorText{cudaErrorNvlinkUncorrectable, "cudaErrorNvlinkUncorrectable",
              "uncorrectable NVLink error detected during the execution"},
    ErrorText{cudaErrorJitCompilerNotFound, "cudaErrorJitCompilerNotFound",
              "PTX JIT compiler library not found"},
    ErrorText{cudaErrorUnsupportedPtxVersion, "cudaErrorUnsupportedPtxVersion",
              "the provided PTX was compiled with an unsupported toolchain."},
    ErrorText{cudaErrorJitCompilationDisabled, "cudaErrorJitCompilationDisabled",
              "PTX JIT compilation was disabled"},
    ErrorText{cudaErrorUnsupportedExecAffinity, "cudaErrorUnsupportedExecAffinity",
              "the provided execution affinity is not supported"},
    ErrorText{cudaErrorUnsupportedDevSideSync, "cudaErrorUnsupportedDevSideSync",
              "the provided PTX contains unsupported call to cudaDeviceSynchronize"},
    ErrorText{cudaErrorContained, "cudaErrorContained",
              "Invalid access of peer GPU memory over nvlink or a hardware error"},
    ErrorText{cudaErrorInvalidSource, "cudaErrorInvalidSource", "device kernel image is invalid"},
    ErrorText{cudaErrorFileNotFound, "cudaErrorFileNotFound", "file not found"},
    ErrorText{cudaErrorSharedObjectSymbolNotFound, "cudaErrorSharedObjectSymbolNotFound",
              "shared object symbol not found"},
    ErrorText{cudaErrorSharedObjectInitFailed, "cudaErrorSharedObjectInitFailed",
              "shared object initialization failed"},
    ErrorText{cudaErrorOperatingSystem, "cudaErrorOperatingSystem",
              "OS call failed or operation not supported on this OS"},
    ErrorText{cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle",
              "invalid resource handle"},
    ErrorText{cudaErrorIllegalState, "cudaErrorIllegalState",
              "the operation cannot be performed in the present state"},
    ErrorText{cudaErrorLossyQuery, "cudaErrorLossyQuery",
              "attempted introspection would be semantically lossy"},
    ErrorText{cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound", "named symbol not found"},
    ErrorText{cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    ErrorText{cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
              "an illegal memory access was encountered"},
    ErrorText{cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
              "too many resources requested for launch"},
    ErrorText{cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout",
              "the launch timed out and was terminated"},
    ErrorText{cudaErrorLaunchIncompatibleTexturing, "cudaErrorLaunchIncompatibleTexturing",
              "launch uses incompatible texturing mode"},
    ErrorText{cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled",
              "peer access is already enabled"},
    ErrorText{cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled",
              "peer access has not been enabled"},
    ErrorText{cudaErrorSetOnActiveProcess, "cudaErrorSetOnActiveProcess",
              "cannot set while device is active in this process"},
    ErrorText{cudaErrorContextIsDestroyed, "cudaErrorContextIsDestroyed", "context is destroyed"},
    ErrorText{cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    ErrorText{cudaErrorTooManyPeers, "cudaErrorTooManyPeers", "peer mapping resources exhausted"},
    ErrorText{cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
              "part or all of the requested memory range is already mapped"},
    ErrorText{cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
              "pointer does not correspond to a registered memory region"},
    ErrorText{cudaErrorHardwareStackError, "cudaErrorHardwareStackError", "hardware stack error"},
    ErrorText{cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction",
              "an illegal instruction was encountered"},
    ErrorText{cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    ErrorText{cudaErrorInvalidAddressSpace, "cudaErrorInvalidAddressSpace",
              "operation not supported on global/shared address space"},
    ErrorText{cudaErrorInvalidPc, "cudaErrorInvalidPc", "invalid program counter"},
    ErrorText{cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    ErrorText{cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
              "too many blocks in cooperative launch"},
    ErrorText{cudaErrorTensorMemoryLeak, "cudaErrorTensorMemoryLeak",
              "tensor memory not completely freed"},
    ErrorText{cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    ErrorText{cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    ErrorText{cudaErrorSystemNotReady, "cudaErrorSystemNotReady", "system not yet initialized"},
    ErrorText{cudaErrorSystemDriverMismatch, "cudaErrorSystemDriverMismatch",
              "system has unsupported display driver / cuda driver combination"},
    ErrorText{cudaErrorCompatNotSupportedOnDevice, "cudaErrorCompatNotSupportedOnDevice",
              "forward compatibility was attempted on non supported HW"},
    ErrorText{cudaErrorMpsConnectionFailed, "cudaErrorMpsConnectionFailed",
              "MPS client failed to connect to the MPS control daemon or the MPS server"},
    ErrorText{cudaErrorMpsRpcFailure, "cudaErrorMpsRpcFailure",
              "the remote procedural call between the MPS server and the MPS client failed"},
    ErrorText{cudaErrorMpsServerNotReady, "cudaErrorMpsServerNotReady",
              "MPS server is not ready to accept new MPS client requests"},
    ErrorText{cudaErrorMpsMaxClientsReached, "cudaErrorMpsMaxClientsReached",
              "the hardware resources required to create MPS client have been exhausted"},
    ErrorText{cudaErrorMpsMaxConnectionsReached, "cudaErrorMpsMaxConnectionsReached",
              "the hardware resources required to support device connections have been exhausted"},
    ErrorText{cudaErrorMpsClientTerminated, "cudaErrorMpsClientTerminated",
              "the MPS client has been terminated by the server"},
    ErrorText{cudaErrorCdpNotSupported, "cudaErrorCdpNotSupported",
              "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does "
              "not support it"},
    ErrorText{cudaErrorCdpVersionMismatch, "cudaErrorCdpVersionMismatch",
              "unsupported interaction between different versions of CUDA Dynamic Parallelism"},
    ErrorText{cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
              "operation not permitted when stream is capturing"},
    ErrorText{cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
              "operation failed due to a previous error during capture"},
    ErrorText{cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge",
              "operation would result in a merge of separate capture sequences"},
    ErrorText{cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched",
              "capture was not ended in the same stream as it began"},
    ErrorText{cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined",
              "capturing stream has unjoined work"},
    ErrorText{cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
              "dependency created on uncaptured work in another stream"},
    ErrorText{cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
              "operation would make the legacy stream depend on a capturing blocking stream"},
    ErrorText{cudaErrorCapturedEvent, "cudaErrorCapturedEvent",
              "operation not permitted on an event last recorded in a capturing stream"},
    ErrorText{cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
              "attempt to terminate a thread-local capture sequence from another thread"},
    ErrorText{cudaErrorTimeout, "cudaErrorTimeout", "wait operation timed out"},
    ErrorText{cudaErrorGraphExecUpdateFailure, "cudaErrorGraphExecUpdateFailure",
              "the graph update was not performed because it included changes which violated "
              "constraints specific to instantiated graph update"},
    ErrorText{cudaErrorExternalDevice, "cudaErrorExternalDevice",
              "an async error has occured in external entity outside of CUDA"},
    ErrorText{cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize",
              "a kernel launch error has occurred due to cluster misconfiguration"},
    ErrorText{
        cudaErrorFunctionNotLoaded, "cudaErrorFunctionNotLoaded",
        "the function handle is not loaded when calling an API that requires a loaded function"},
    ErrorText{cudaErrorInvalidResourceType, "cudaErrorInvalidResourceType",
              "one or more resources passed in are not valid resource types for the operation"},
    ErrorText{cudaErrorInvalidResourceConfiguration, "cudaErrorInvalidResourceConfiguration",
              "one or more resources are insufficient or non-applicable for the operation"},
    ErrorText{cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
    ErrorText{cudaErrorApiFailureBase, "cudaErrorApiFailureBase", "api failure base"},
};

const ErrorText* find(cudaError_t error) noexcept {
  const auto found =
      std::lower_bound(kErrors.begin(), kErrors.end(), error,
                       [](const ErrorText& text, cudaError_t value) { return text.error < value; });
  return found != kErrors.end() && found->error == error ? &*found : nullptr;
}

constexpr const char* kUnknown = "unrecognized error code";

}  // namespace

void set_last_error(cudaError_t error) noexcept { last_error = error; }
void set_sticky_error(cudaError_t error) noexcept { device_error = error; }
cudaError_t sticky_error() noexcept { return device_error; }

namespace runtime {

cudaError_t exchange_last_error(cudaError_t error) noexcept {
  return std::exchange(last_error, error);
}

void reset_errors() noexcept {
  if (device_error != cudaSuccess) device_error = cudaErrorDevicesUnavailable;
}

CallReport::Notice CallReport::notice_ = nullptr;
thread_local int CallReport::depth_ = 0;
thread_local const char* CallReport::call_ = nullptr;
thread_local const void* CallReport::call_site_ = nullptr;
thread_local const char* CallReport::hint_ = "";
thread_local bool CallReport::reported_ = false;

void CallReport::begin(const char* call, const void* call_site) noexcept {
  if (depth_ > 1) return;
  if (notice_) notice_(call);
  call_ = call;
  call_site_ = call_site;
  hint_ = "";
  reported_ = false;
}

void CallReport::failed(const char* call, cudaError_t error) {
  if (depth_ > 1 || reported_) return;
  if (error == sticky_error() && !kernel_failure_is_untold.exchange(false)) return;
  note_failed_call(call, error, call_site_, hint_);
}

HostFunctionScope::HostFunctionScope() noexcept { ++host_functions_running; }
HostFunctionScope::~HostFunctionScope() { --host_functions_running; }
bool in_host_function() noexcept { return host_functions_running > 0; }

}  // namespace runtime

}  // namespace emu

using namespace emu;

cudaError_t cudaGetLastError() {
  if (in_kernel()) {
    const Unrecorded unrecorded;
    return queue_of_running_grid().exchange_last_error(running_grid_thread(), cudaSuccess);
  }
  if (runtime::in_host_function()) return cudaErrorNotPermitted;
  return runtime::exchange_last_error(cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  if (in_kernel()) {
    const Unrecorded unrecorded;
    return queue_of_running_grid().last_error(running_grid_thread());
  }
  return runtime::in_host_function() ? cudaErrorNotPermitted : last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* text = find(error);
  return text ? text->name : kUnknown;
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* text = find(error);
  return text ? text->description : kUnknown;
}
