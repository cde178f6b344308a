/// @file
/// CUDA arrays: texels in device memory, which programs access by a handle.
#pragma once

#include <optional>

#include "copy.hpp"
#include "device/texture.hpp"
#include "driver_types.h"

/// An array, or a level of a mipmapped one. `extent` is as the program gave it: in texels, 0 for an
/// unused dimension.
struct cudaArray {
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;
  emu::TexelFormat format;
  emu::Texels texels;
  bool is_level = false;
};

namespace emu::runtime {

/// Returns the format for a descriptor; nothing if it is invalid.
std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& channels);

/// Returns whether this is an array that the program has not freed.
bool is_array(cudaArray_const_t array);

/// Returns the levels of a mipmapped array; nothing if there is no such array.
std::optional<std::vector<cudaArray_t>> levels_of(cudaMipmappedArray_const_t array);

/// Frees all arrays' handles; resetting the arena frees their memory.
void forget_arrays() noexcept;

/// Implements cudaMemcpy3D if at least one side is an array: positions and the extent are in
/// texels.
cudaError_t copy_3d_of_arrays(const cudaMemcpy3DParms& parameters, cudaStream_t stream,
                              Returns returns);

}  // namespace emu::runtime
