/// @file
/// Textures and surfaces: made by the runtime, found by device functions through handles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver_types.h"
#include "texture_types.h"

namespace emu {

/// The type of a channel's bits.
enum class ChannelType : std::uint8_t { signed_integer, unsigned_integer, real };

/// One to four channels of the same type.
struct TexelFormat {
  ChannelType type = ChannelType::real;
  unsigned bits = 32;  ///< bits of a channel: 8, 16 or 32
  unsigned channels = 1;

  std::size_t bytes() const { return bits / 8 * channels; }
};

/// Texels in memory: a level of a CUDA array, or the program's memory. A slice is a layer, a face
/// of a cube, or a step in the third dimension.
struct Texels {
  const char* begin = nullptr;
  std::int64_t width = 0, height = 0, depth = 0;
  /// Bytes from one row to the next, and from one slice to the next.
  std::size_t pitch = 0, slice = 0;
};

/// The texture or surface of a handle.
struct Texture {
  TexelFormat format;
  std::vector<Texels> levels;  ///< a surface has one
  bool is_layered = false;
  bool is_cube = false;
  bool is_surface = false;
  cudaTextureDesc sampling{};
  cudaResourceDesc resource{};
  cudaResourceViewDesc view{};

  /// Returns whether reads convert channels to numbers from 0 to 1, or from -1 to 1.
  bool is_normalized() const {
    return sampling.readMode == cudaReadModeNormalizedFloat && format.type != ChannelType::real;
  }
  bool is_linear() const { return sampling.filterMode == cudaFilterModeLinear; }
};

/// Returns a new handle for a texture, or 0 if there are too many.
unsigned long long add_texture(Texture texture);
/// Removes a handle. Returns false if there is no such texture or surface.
bool remove_texture(unsigned long long handle);
void remove_textures() noexcept;
/// Returns null if there is no such texture or surface. Kernels call this while host threads make
/// and destroy others.
const Texture* texture_at(unsigned long long handle) noexcept;

}  // namespace emu
