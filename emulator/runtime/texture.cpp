// Texture and surface objects. Refusals and their errors are as recorded on an H200
// (tests/emulator/texture/calls_test.cu).
#include "device/texture.hpp"

#include <algorithm>
#include <cstring>

#include "array.hpp"
#include "cuda_runtime_api.h"
#include "engine/run/queue.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::format_of;
using runtime::is_array;

namespace {

bool is_valid_sampling(const cudaTextureDesc& sampling) {
  const auto is_filter = [](cudaTextureFilterMode mode) {
    return mode == cudaFilterModePoint || mode == cudaFilterModeLinear;
  };
  const bool has_modes =
      std::all_of(std::begin(sampling.addressMode), std::end(sampling.addressMode),
                  [](cudaTextureAddressMode mode) {
                    return mode >= cudaAddressModeWrap && mode <= cudaAddressModeBorder;
                  });
  return has_modes && is_filter(sampling.filterMode) && is_filter(sampling.mipmapFilterMode);
}

/// Checks the rules for a texture's format and filtering.
cudaError_t check_filter(const TexelFormat& format, const cudaTextureDesc& sampling) {
  const bool is_real = format.type == ChannelType::real;
  const bool gives_fractions = sampling.readMode == cudaReadModeNormalizedFloat;
  if (gives_fractions && (is_real || format.bits == 32)) return cudaErrorInvalidNormSetting;
  if (sampling.filterMode == cudaFilterModeLinear && !is_real && !gives_fractions)
    return cudaErrorInvalidFilterSetting;
  return cudaSuccess;
}

/// Returns the format of a view, whose texels have as many bytes as the array's.
std::optional<TexelFormat> format_of_view(cudaResourceViewFormat view) {
  constexpr unsigned kKinds = 8, kWidths = 3;
  if (view < cudaResViewFormatUnsignedChar1 || view > cudaResViewFormatFloat4) return std::nullopt;
  const unsigned number = view - cudaResViewFormatUnsignedChar1;
  constexpr unsigned kChannels[kWidths] = {1, 2, 4};
  constexpr TexelFormat kFormats[kKinds] = {{ChannelType::unsigned_integer, 8, 1},
                                            {ChannelType::signed_integer, 8, 1},
                                            {ChannelType::unsigned_integer, 16, 1},
                                            {ChannelType::signed_integer, 16, 1},
                                            {ChannelType::unsigned_integer, 32, 1},
                                            {ChannelType::signed_integer, 32, 1},
                                            {ChannelType::real, 16, 1},
                                            {ChannelType::real, 32, 1}};
  TexelFormat format = kFormats[number / kWidths];
  format.channels = kChannels[number % kWidths];
  return format;
}

/// Sets a texture's texels to an array's.
cudaError_t take_array(Texture& texture, cudaArray_const_t array) {
  if (!is_array(array)) return cudaErrorInvalidResourceHandle;
  texture.format = array->format;
  texture.is_layered = (array->flags & cudaArrayLayered) != 0;
  texture.is_cube = (array->flags & cudaArrayCubemap) != 0;
  texture.levels.push_back(array->texels);
  return cudaSuccess;
}

/// Returns whether a texture may begin at this address. On a device, allocations begin at multiples
/// of 512 bytes.
bool may_begin_at(const void* pointer) {
  constexpr std::ptrdiff_t kAlignment = 512;
  const runtime::Place place = runtime::place_of(pointer);
  return place.space != Space::none &&
         (static_cast<const char*>(pointer) - place.begin) % kAlignment == 0;
}

cudaError_t take_linear(Texture& texture, const cudaResourceDesc& resource) {
  const auto& linear = resource.res.linear;
  const auto format = format_of(linear.desc);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  if (!may_begin_at(linear.devPtr)) return cudaErrorInvalidValue;
  // A texture that is larger than its memory reads only the memory.
  const runtime::Place place = runtime::place_of(linear.devPtr);
  const auto there =
      static_cast<std::size_t>(place.begin + place.bytes - static_cast<const char*>(linear.devPtr));
  texture.format = *format;
  const std::size_t bytes = std::min(linear.sizeInBytes, there);
  Texels texels;
  texels.begin = static_cast<const char*>(linear.devPtr);
  texels.width = static_cast<std::int64_t>(bytes / format->bytes());
  texels.height = texels.depth = 1;
  texture.levels.push_back(texels);
  return cudaSuccess;
}

cudaError_t take_pitched(Texture& texture, const cudaResourceDesc& resource) {
  constexpr std::size_t kTexturePitchAlignment = 32, kWidest = 131072, kTallest = 65000;
  const auto& pitched = resource.res.pitch2D;
  const auto format = format_of(pitched.desc);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  const bool is_valid = may_begin_at(pitched.devPtr) &&
                        pitched.pitchInBytes % kTexturePitchAlignment == 0 &&
                        pitched.pitchInBytes >= pitched.width * format->bytes() &&
                        pitched.width <= kWidest && pitched.height <= kTallest;
  if (!is_valid) return cudaErrorInvalidValue;
  texture.format = *format;
  Texels texels;
  texels.begin = static_cast<const char*>(pitched.devPtr);
  texels.width = static_cast<std::int64_t>(pitched.width);
  texels.height = static_cast<std::int64_t>(pitched.height);
  texels.depth = 1;
  texels.pitch = pitched.pitchInBytes;
  texture.levels.push_back(texels);
  return cudaSuccess;
}

cudaError_t take_resource(Texture& texture, const cudaResourceDesc& resource) {
  texture.resource = resource;
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return take_array(texture, resource.res.array.array);
    case cudaResourceTypeMipmappedArray: {
      const auto levels = runtime::levels_of(resource.res.mipmap.mipmap);
      if (!levels) return cudaErrorInvalidResourceHandle;
      for (const cudaArray_t level : *levels)
        if (const cudaError_t error = take_array(texture, level); error != cudaSuccess)
          return error;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear:
      return take_linear(texture, resource);
    case cudaResourceTypePitch2D:
      return take_pitched(texture, resource);
    default:
      return cudaErrorInvalidValue;
  }
}

/// Reads the array's texels in another format, and restricts levels and layers.
cudaError_t take_view(Texture& texture, const cudaResourceViewDesc& view) {
  const auto format = format_of_view(view.format);
  if (!format || format->bytes() != texture.format.bytes()) return cudaErrorInvalidValue;
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= texture.levels.size())
    return cudaErrorInvalidValue;
  std::vector<Texels> levels(texture.levels.begin() + view.firstMipmapLevel,
                             texture.levels.begin() + view.lastMipmapLevel + 1);
  if (texture.is_layered) {
    if (view.firstLayer > view.lastLayer ||
        view.lastLayer >= static_cast<std::size_t>(levels.front().depth))
      return cudaErrorInvalidValue;
    for (Texels& level : levels) {
      level.begin += view.firstLayer * level.slice;
      level.depth = view.lastLayer - view.firstLayer + 1;
    }
  }
  texture.format = *format;
  texture.levels = std::move(levels);
  texture.view = view;
  return cudaSuccess;
}

cudaError_t store_handle(unsigned long long* handle, Texture texture) {
  *handle = add_texture(std::move(texture));
  return *handle == 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}

/// Destroys a texture or surface when no kernel needs it any more.
cudaError_t destroy(unsigned long long handle) {
  if (texture_at(handle) == nullptr) return cudaSuccess;
  finish_all();
  if (sticky_error() != cudaSuccess) return sticky_error();
  remove_texture(handle);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  return api_call([&] {
    if (texture == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    if (description == nullptr) return cudaErrorInvalidResourceHandle;
    if (sticky_error() != cudaSuccess) return sticky_error();
    Texture made;
    made.sampling = *description;
    if (const cudaError_t error = take_resource(made, *resource); error != cudaSuccess)
      return error;
    if (!is_valid_sampling(*description)) return cudaErrorInvalidValue;
    if (view != nullptr)
      if (const cudaError_t error = take_view(made, *view); error != cudaSuccess) return error;
    if (const cudaError_t error = check_filter(made.format, *description); error != cudaSuccess)
      return error;
    return store_handle(texture, std::move(made));
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return api_call([&] { return destroy(texture); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t texture) {
  return api_call([&] {
    const Texture* const found = texture_at(texture);
    if (resource == nullptr || found == nullptr) return cudaErrorInvalidValue;
    *resource = found->resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t texture) {
  return api_call([&] {
    const Texture* const found = texture_at(texture);
    if (description == nullptr || found == nullptr || found->is_surface)
      return cudaErrorInvalidValue;
    *description = found->sampling;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t texture) {
  return api_call([&] {
    const Texture* const found = texture_at(texture);
    if (view == nullptr || found == nullptr || found->is_surface) return cudaErrorInvalidValue;
    *view = found->view;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
  return api_call([&] {
    if (surface == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    Texture made;
    made.is_surface = true;
    made.sampling.addressMode[0] = made.sampling.addressMode[1] = made.sampling.addressMode[2] =
        cudaAddressModeClamp;
    if (const cudaError_t error = take_resource(made, *resource); error != cudaSuccess)
      return error;
    return store_handle(surface, std::move(made));
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return api_call([&] { return destroy(surface); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface) {
  return api_call([&] {
    const Texture* const found = texture_at(surface);
    if (resource == nullptr || found == nullptr || !found->is_surface) return cudaErrorInvalidValue;
    *resource = found->resource;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels,
                                                 const cudaChannelFormatDesc* format, int device) {
  return api_call([&] {
    constexpr std::size_t kMost = std::size_t{1} << 28;
    if (texels == nullptr || format == nullptr) return cudaErrorInvalidValue;
    if (!runtime::valid_device(device)) return cudaErrorInvalidDevice;
    if (!format_of(*format)) return cudaErrorInvalidChannelDescriptor;
    *texels = kMost;
    return cudaSuccess;
  });
}
