/// @file
/// CUDA arrays: texels in device memory that programs know by a handle.
#pragma once

#include <optional>

#include "copy.hpp"
#include "device/texture.hpp"
#include "driver_types.h"

/// An array, or a level of a mipmapped one. `extent` is as the program gave it: in texels, with 0
/// for a dimension that is not there.
struct cudaArray {
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;
  emu::TexelFormat format;
  emu::Texels texels;
  bool is_level = false;
};

namespace emu::runtime {

/// The format that a descriptor stands for; none if there is no such.
std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& channels);

/// Whether this is an array of the program's that is not freed.
bool is_array(cudaArray_const_t array);

/// The levels of a mipmapped array; none if there is no such array.
std::optional<std::vector<cudaArray_t>> levels_of(cudaMipmappedArray_const_t array);

/// Frees all arrays' handles; their memory goes with the arena.
void forget_arrays() noexcept;

/// cudaMemcpy3D where at least one side is an array: positions and the extent count texels.
cudaError_t copy_3d_of_arrays(const cudaMemcpy3DParms& parameters, cudaStream_t stream,
                              Returns returns);

}  // namespace emu::runtime
