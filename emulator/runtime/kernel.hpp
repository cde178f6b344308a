/// @file
/// What the runtime knows of a kernel: where it is, and what cudaFuncSetAttribute has said of it.
#pragma once

#include <cstddef>

#include "driver_types.h"
#include "vector_types.h"

namespace emu::runtime {

/// What cudaFuncSetAttribute has changed of a kernel.
struct KernelSettings {
  int max_dynamic_shared = -1;  ///< negative: never set
  int carveout = cudaSharedmemCarveoutDefault;
  uint3 required_cluster{0, 0, 0};  ///< in blocks; {0, 0, 0}: never set
  bool nonportable_clusters = false;
  int cluster_policy = cudaClusterSchedulingPolicyDefault;
};
KernelSettings settings_of(const void* kernel);

/// The error of a call for this kernel, if it is none or if the device is lost.
cudaError_t check_kernel(const void* kernel);

/// No compiler for a GPU has seen the kernel: what most kernels of this course need, and what lets
/// every multiprocessor be full.
inline constexpr int kRegistersPerThread = 32;

}  // namespace emu::runtime
