/// @file
/// Launches that a device would refuse.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "driver_types.h"
#include "emulator/launch.h"
#include "engine/engine.hpp"

namespace emu {

struct Refusal {
  cudaError_t error;
  std::string why;  ///< "a grid of (3, 1, 1) blocks, and no whole clusters of (2, 1, 1)"
};

/// The kernel of a launch.
struct LaunchedKernel {
  const void* address = nullptr;
  std::size_t static_shared_bytes = 0;
  KernelBounds bounds;  ///< as its definition says
};

/// Returns why a device would refuse the launch; nothing if it would run it.
std::optional<Refusal> refusal_of(const Configuration& configuration, const LaunchedKernel& kernel);

/// Returns the cluster size of a valid launch, in blocks; {0, 0, 0} without clusters.
uint3 cluster_of(const Configuration& configuration, const LaunchedKernel& kernel);

}  // namespace emu
