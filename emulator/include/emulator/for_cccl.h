/// @file
/// What the headers of CCCL (Thrust, CUB and libcu++) ask of nvcc and its runtime, beside what
/// programs may. Part of cuda_runtime.h.
#pragma once

#include "driver_types.h"
#include "emulator/device.h"

// nvcc's host code cannot know what a __device__ lambda returns, and asks this of its type. Here it
// knows.
#define __nv_is_extended_device_lambda_closure_type(T) false
#define __nv_is_extended_host_device_lambda_closure_type(T) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(T) false

/// Of dynamic parallelism.
inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance() {
  ::emu::unsupported("a call inside a kernel");
}
