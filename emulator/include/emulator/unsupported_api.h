/// @file
/// Functions of the runtime API that the emulator refuses by name when called: handles for other
/// processes, questions about managed memory. Declared, so that programs which only mention them
/// compile; emulator/unsupported/features.txt lists them. Part of cuda_runtime_api.h.
#pragma once

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Handles for other processes.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* pointer);

// Ranges of managed memory.
cudaError_t cudaMemRangeGetAttribute(void* data, size_t dataBytes,
                                     enum cudaMemRangeAttribute attribute, const void* pointer,
                                     size_t bytes);

#ifdef __cplusplus
}  // extern "C"
#endif
