/// @file
/// What the runtime knows of a kernel: its address, and settings of cudaFuncSetAttribute.
#pragma once

#include <cstddef>

#include "driver_types.h"
#include "vector_types.h"

namespace emu::runtime {

/// The settings that cudaFuncSetAttribute has changed for a kernel.
struct KernelSettings {
  int max_dynamic_shared = -1;  ///< negative: never set
  int carveout = cudaSharedmemCarveoutDefault;
  uint3 required_cluster{0, 0, 0};  ///< in blocks; {0, 0, 0}: never set
  bool nonportable_clusters = false;
  int cluster_policy = cudaClusterSchedulingPolicyDefault;
};
KernelSettings settings_of(const void* kernel);

/// Returns the error of a call for this kernel: it is not a kernel, or the device is lost.
cudaError_t check_kernel(const void* kernel);

/// Registers per thread, which no GPU compiler has determined here: as many as most kernels of this
/// course need; every multiprocessor can be full with them.
inline constexpr int kRegistersPerThread = 32;

}  // namespace emu::runtime
