/// @file
/// The parameters of a call, which become those of its node in a graph.
#pragma once

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "driver_types.h"

namespace emu {

/// The arguments of a launch, as bytes of their own.
struct KernelArguments {
  std::vector<std::max_align_t> bytes;
  std::vector<void*> pointers;  ///< to each argument
};
/// Copies what the pointers lead to; null if the kernel's signature is not known, or if there are
/// no pointers where it has parameters.
std::shared_ptr<KernelArguments> copy_arguments(const void* kernel, void** arguments);

struct KernelParameters {
  cudaKernelNodeParams launch{};                 ///< without arguments
  std::shared_ptr<KernelArguments> arguments{};  ///< null: they are known to the kernel only
};

using TaskParameters =
    std::variant<KernelParameters, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams>;

}  // namespace emu
