/// @file
/// Launches with attributes, for tests of cooperating blocks.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>

/// The requirements of a launch on its blocks.
struct Together {
  dim3 cluster = {0, 0, 0};  ///< in blocks; {0, 0, 0}: no cluster attribute
  bool cooperative = false;
  std::size_t dynamic_bytes = 0;
};

template <class... Parameters, class... Arguments>
cudaError_t launch_together(const Together& together, dim3 grid, dim3 block,
                            void (*kernel)(Parameters...), Arguments... arguments) {
  std::array<cudaLaunchAttribute, 2> attributes{};
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = together.dynamic_bytes;
  config.attrs = attributes.data();
  if (together.cluster.x != 0) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = together.cluster.x;
    attribute.val.clusterDim.y = together.cluster.y;
    attribute.val.clusterDim.z = together.cluster.z;
  }
  if (together.cooperative) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  }
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}
