#pragma once

/// @file
/// Launches a kernel by its address, so that tests are plain C++: `kernel<<<...>>>` would need
/// nvcc.

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

namespace course_test {

/// The arguments between `<<<` and `>>>`.
struct Shape {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
};

/// Launches on the default stream. As with `<<<...>>>`, arguments are converted to the types of the
/// kernel's parameters, and course::check_launch() reports errors.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), const Shape& shape,
            std::type_identity_t<Parameters>... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = shape.block;
  config.dynamicSmemBytes = shape.shared_bytes;
  static_cast<void>(cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace course_test
