/// @file
/// Device functions that read textures, and read and write surfaces. Their accesses are not
/// counted.
#pragma once

#include <cstring>
#include <type_traits>

#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

namespace emu {

/// The four channels of a texel: bits of floats, or integers extended to 32 bits.
struct Texel {
  unsigned channel[4];
};

/// A texture's coordinates and slices: layers, faces of a cube, or both.
enum class TextureShape : unsigned char { line, plane, space, lines, planes, cube, cubes };

/// The coordinates of a texture read.
struct TextureRead {
  TextureShape shape;
  float x, y, z;
  int layer;
  enum class Level : unsigned char { first, given, by_gradients } level = Level::first;
  float lod = 0;                                         ///< for reads of an explicit level
  float along_x[3] = {0, 0, 0}, along_y[3] = {0, 0, 0};  ///< gradients of the coordinates

  TextureRead at_level(float given) const {
    TextureRead read = *this;
    read.level = Level::given;
    read.lod = given;
    return read;
  }
  template <class Gradient>
  TextureRead with_gradients(const Gradient& horizontal, const Gradient& vertical) const {
    constexpr unsigned kMost = sizeof along_x;
    TextureRead read = *this;
    read.level = Level::by_gradients;
    std::memcpy(read.along_x, &horizontal, sizeof horizontal < kMost ? sizeof horizontal : kMost);
    std::memcpy(read.along_y, &vertical, sizeof vertical < kMost ? sizeof vertical : kMost);
    return read;
  }
};

/// Returns a texel or an interpolated value. Ends the kernel if there is no such texture.
Texel read_texture(cudaTextureObject_t texture, const TextureRead& read);
/// Returns a texel of linear memory; 0 outside.
Texel fetch_texel(cudaTextureObject_t texture, int index);
/// Returns one channel of the four texels that a filter would use.
Texel gather_texels(cudaTextureObject_t texture, float x, float y, int channel);

/// A position in a surface; x is in bytes.
struct SurfacePlace {
  int x, y, z;
  bool has_y, has_z;
};
/// Copies bytes of one row of a surface. Outside of the surface, ends the kernel unless `mode` says
/// otherwise.
void read_surface(cudaSurfaceObject_t surface, SurfacePlace place, cudaSurfaceBoundaryMode mode,
                  void* value, unsigned bytes);
void write_surface(cudaSurfaceObject_t surface, SurfacePlace place, cudaSurfaceBoundaryMode mode,
                   const void* value, unsigned bytes);

namespace detail {

template <class T>
T channel_as(unsigned bits) {
  static_assert(sizeof(T) <= sizeof bits, "a texture's channels have at most 32 bits");
  if constexpr (std::is_same_v<T, float>) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  } else {
    return static_cast<T>(bits);
  }
}

/// Converts a texel to the program's type: a number, or a vector of one, two or four.
template <class T>
T texel_as(const Texel& texel) {
  if constexpr (std::is_arithmetic_v<T>) {
    return channel_as<T>(texel.channel[0]);
  } else {
    using Channel = std::decay_t<decltype(T::x)>;
    constexpr unsigned kChannels = sizeof(T) / sizeof(Channel);
    static_assert(kChannels != 3, "a texel has one, two or four channels");
    Channel channels[kChannels];
    for (unsigned i = 0; i < kChannels; ++i) channels[i] = channel_as<Channel>(texel.channel[i]);
    T value;
    std::memcpy(static_cast<void*>(&value), channels, sizeof value);
    return value;
  }
}

}  // namespace detail
}  // namespace emu

// A function that returns the texel, and one that stores it through a pointer.
#define EMU_TEXTURE(name, texel, ...)                             \
  template <class T>                                              \
  T name(cudaTextureObject_t texture, __VA_ARGS__) {              \
    return ::emu::detail::texel_as<T>(texel);                     \
  }                                                               \
  template <class T>                                              \
  void name(T* value, cudaTextureObject_t texture, __VA_ARGS__) { \
    *value = ::emu::detail::texel_as<T>(texel);                   \
  }
// Functions that read a shape: from the first level, from an explicit level, and by gradients.
#define EMU_TEXTURE_SHAPE(name, shape, x, y, z, layer, gradient, ...)                              \
  EMU_TEXTURE(name, ::emu::read_texture(texture, {::emu::TextureShape::shape, x, y, z, layer}),    \
              __VA_ARGS__)                                                                         \
  EMU_TEXTURE(name##Lod,                                                                           \
              ::emu::read_texture(                                                                 \
                  texture,                                                                         \
                  ::emu::TextureRead{::emu::TextureShape::shape, x, y, z, layer}.at_level(level)), \
              __VA_ARGS__, float level)                                                            \
  EMU_TEXTURE(                                                                                     \
      name##Grad,                                                                                  \
      ::emu::read_texture(                                                                         \
          texture, ::emu::TextureRead{::emu::TextureShape::shape, x, y, z, layer}.with_gradients(  \
                       along_x, along_y)),                                                         \
      __VA_ARGS__, gradient along_x, gradient along_y)

EMU_TEXTURE(tex1Dfetch, ::emu::fetch_texel(texture, index), int index)
EMU_TEXTURE(tex2Dgather, ::emu::gather_texels(texture, x, y, channel), float x, float y,
            int channel = 0)
EMU_TEXTURE_SHAPE(tex1D, line, x, 0, 0, 0, float, float x)
EMU_TEXTURE_SHAPE(tex2D, plane, x, y, 0, 0, float2, float x, float y)
EMU_TEXTURE_SHAPE(tex3D, space, x, y, z, 0, float4, float x, float y, float z)
EMU_TEXTURE_SHAPE(tex1DLayered, lines, x, 0, 0, layer, float, float x, int layer)
EMU_TEXTURE_SHAPE(tex2DLayered, planes, x, y, 0, layer, float2, float x, float y, int layer)
EMU_TEXTURE_SHAPE(texCubemap, cube, x, y, z, 0, float4, float x, float y, float z)
EMU_TEXTURE_SHAPE(texCubemapLayered, cubes, x, y, z, layer, float4, float x, float y, float z,
                  int layer)
#undef EMU_TEXTURE_SHAPE
#undef EMU_TEXTURE

// Functions that return a surface's value, store it through a pointer, and write to the surface.
#define EMU_SURFACE(name, y, z, has_y, has_z, ...)                                      \
  template <class T>                                                                    \
  void name##read(T* value, cudaSurfaceObject_t surface, __VA_ARGS__,                   \
                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    ::emu::read_surface(surface, {x, y, z, has_y, has_z}, mode, value, sizeof *value);  \
  }                                                                                     \
  template <class T>                                                                    \
  T name##read(cudaSurfaceObject_t surface, __VA_ARGS__,                                \
               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    T value;                                                                            \
    ::emu::read_surface(surface, {x, y, z, has_y, has_z}, mode, &value, sizeof value);  \
    return value;                                                                       \
  }                                                                                     \
  template <class T>                                                                    \
  void name##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,                   \
                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    ::emu::write_surface(surface, {x, y, z, has_y, has_z}, mode, &value, sizeof value); \
  }

EMU_SURFACE(surf1D, 0, 0, false, false, int x)
EMU_SURFACE(surf2D, y, 0, true, false, int x, int y)
EMU_SURFACE(surf3D, y, z, true, true, int x, int y, int z)
EMU_SURFACE(surf1DLayered, 0, layer, false, true, int x, int layer)
EMU_SURFACE(surf2DLayered, y, layer, true, true, int x, int y, int layer)
EMU_SURFACE(surfCubemap, y, face, true, true, int x, int y, int face)
EMU_SURFACE(surfCubemapLayered, y, layer_and_face, true, true, int x, int y, int layer_and_face)
#undef EMU_SURFACE
