#pragma once

/// @file
/// The kernels of a submission, with the data for launching them by name. write_kernels writes the
/// list from exercise.json.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace coursework {

/// An argument of a launch: the bytes of a scalar, or of a device address.
using ArgumentBytes = std::vector<std::byte>;

struct Kernel {
  std::string name;
  std::vector<std::size_t> sizes;  ///< sizes of the parameters in bytes
  cudaError_t (*launch)(const void* kernel, const cudaLaunchConfig_t& config,
                        const std::vector<ArgumentBytes>& arguments) = nullptr;
  const void* address = nullptr;
};

/// Returns the kernels. The source that write_kernels writes defines this function.
const std::vector<Kernel>& kernels();

namespace detail {

template <class... Parameters, std::size_t... Index>
cudaError_t launch(void (*kernel)(Parameters...), const cudaLaunchConfig_t& config,
                   const std::vector<ArgumentBytes>& arguments, std::index_sequence<Index...>) {
  std::tuple<Parameters...> values;
  (std::memcpy(&std::get<Index>(values), arguments[Index].data(), sizeof(Parameters)), ...);
  return cudaLaunchKernelEx(&config, kernel, std::get<Index>(values)...);
}

}  // namespace detail

/// Makes an entry of the list.
template <class... Parameters>
Kernel kernel(const char* name, void (*address)(Parameters...)) {
  return {name,
          {sizeof(Parameters)...},
          [](const void* erased, const cudaLaunchConfig_t& config,
             const std::vector<ArgumentBytes>& arguments) {
            const auto typed = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(erased));
            return detail::launch(typed, config, arguments,
                                  std::index_sequence_for<Parameters...>{});
          },
          reinterpret_cast<const void*>(address)};
}

}  // namespace coursework
