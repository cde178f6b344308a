#pragma once

/// @file
/// Programmatic dependent launch: a kernel's blocks may be launched as soon as the last block of
/// the kernel before it in the stream is done, without waiting until that kernel is wound up. (A
/// kernel can give a signal for it earlier; of ours, only tma::align_rows() does.)

#include <cuda_runtime.h>

#include <cstddef>

#include "course/error.hpp"

namespace early_start {

/// Launches a kernel that calls cudaGridDependencySynchronize() before it touches global memory:
/// there it waits until the kernel before it is over.
template <typename... Parameters>
void launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
            std::size_t shared_bytes, cudaStream_t stream, const Parameters&... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = 1;
  course::check(cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace early_start
