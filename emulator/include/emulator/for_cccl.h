/// @file
/// What the headers of CCCL (Thrust, CUB and libcu++) need from nvcc and its runtime beyond the
/// public API. Part of cuda_runtime.h.
#pragma once

#include "driver_types.h"
#include "emulator/device.h"

// Host code of nvcc cannot know the result type of a __device__ lambda, and uses this trait of its
// type. Here the type is known.
#define __nv_is_extended_device_lambda_closure_type(T) false
#define __nv_is_extended_host_device_lambda_closure_type(T) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(T) false

/// Refuses dynamic parallelism, for which CCCL calls this function.
inline cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance() {
  ::emu::unsupported("a call inside a kernel");
}
