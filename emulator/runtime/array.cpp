// CUDA arrays and copies to and from them. Refusals and their errors are as recorded on an H200
// (tests/emulator/texture/calls_test.cu).
#include "array.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "cuda_runtime_api.h"
#include "engine/run/queue.hpp"
#include "handles.hpp"
#include "runtime.hpp"

/// A mipmapped array; its levels share one piece of memory.
struct cudaMipmappedArray {
  std::vector<cudaArray_t> levels;
};

using namespace emu;
using runtime::api_call;
using runtime::Box;
using runtime::copy_box;
using runtime::is_array;
using runtime::Returns;
using runtime::Size;

namespace {

runtime::Handles<cudaArray>& arrays() {
  static runtime::Handles<cudaArray> all;
  return all;
}
runtime::Handles<cudaMipmappedArray>& mipmapped_arrays() {
  static runtime::Handles<cudaMipmappedArray> all;
  return all;
}

constexpr unsigned kKnownFlags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                                 cudaArrayTextureGather | cudaArrayColorAttachment |
                                 cudaArraySparse | cudaArrayDeferredMapping;
constexpr std::size_t kFaces = 6;

bool has(unsigned flags, unsigned flag) { return (flags & flag) != 0; }

bool is_within(const cudaExtent& extent, std::size_t width, std::size_t height, std::size_t depth) {
  return extent.width <= width && extent.height <= height && extent.depth <= depth;
}

/// Returns whether an H100 supports arrays of this shape.
bool is_valid_extent(const cudaExtent& extent, unsigned flags) {
  constexpr std::size_t kLargest = 131072, kTallest = 65536, kLayered = 32768, kLayers = 2048,
                        kSpace = 16384;
  const auto& [width, height, depth] = extent;
  if (width == 0 || has(flags, ~kKnownFlags)) return false;
  if (has(flags, cudaArrayCubemap)) {
    if (width != height || !is_within(extent, kLayered, kLayered, kLayers)) return false;
    return has(flags, cudaArrayLayered) ? depth > 0 && depth % kFaces == 0 : depth == kFaces;
  }
  if (has(flags, cudaArrayTextureGather) && (height == 0 || depth != 0)) return false;
  if (has(flags, cudaArrayLayered))
    return depth > 0 && is_within(extent, kLayered, kLayered, kLayers);
  if (depth == 0) return is_within(extent, kLargest, kTallest, 0);
  return height > 0 && is_within(extent, kSpace, kSpace, kSpace);
}

std::size_t rows_of(const cudaExtent& extent) { return std::max<std::size_t>(extent.height, 1); }
std::size_t slices_of(const cudaExtent& extent) { return std::max<std::size_t>(extent.depth, 1); }

/// Returns the next coarser level: half the size in each dimension except layers, at least 1.
cudaExtent next_level(cudaExtent extent, unsigned flags) {
  const auto half = [](std::size_t size) {
    return size == 0 ? 0 : std::max<std::size_t>(size / 2, 1);
  };
  const bool has_layers = has(flags, cudaArrayLayered | cudaArrayCubemap);
  return {half(extent.width), half(extent.height), has_layers ? extent.depth : half(extent.depth)};
}

/// Returns an array of this shape without memory.
cudaArray describe(const cudaChannelFormatDesc& channels, const TexelFormat& format,
                   const cudaExtent& extent, unsigned flags) {
  cudaArray array;
  array.channels = channels;
  array.extent = extent;
  array.flags = flags;
  array.format = format;
  Texels& texels = array.texels;
  texels.width = static_cast<std::int64_t>(extent.width);
  texels.height = static_cast<std::int64_t>(rows_of(extent));
  texels.depth = static_cast<std::int64_t>(slices_of(extent));
  texels.pitch = extent.width * format.bytes();
  texels.slice = texels.pitch * rows_of(extent);
  return array;
}

std::size_t bytes_of(const cudaArray& array) {
  return array.texels.slice * static_cast<std::size_t>(array.texels.depth);
}

cudaError_t make_array(cudaArray_t* handle, const cudaChannelFormatDesc* channels,
                       const cudaExtent& extent, unsigned flags) {
  if (handle == nullptr || channels == nullptr) return cudaErrorInvalidValue;
  const auto format = runtime::format_of(*channels);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  if (!is_valid_extent(extent, flags)) return cudaErrorInvalidValue;
  if (sticky_error() != cudaSuccess) return sticky_error();
  cudaArray array = describe(*channels, *format, extent, flags);
  void* memory = nullptr;
  if (const cudaError_t error = runtime::allocate(&memory, bytes_of(array), Space::device);
      error != cudaSuccess)
    return error;
  array.texels.begin = static_cast<char*>(memory);
  *handle = arrays().create(array);
  return cudaSuccess;
}

/// Returns the bytes of an array from position x (in bytes), y, z on.
Box box_of(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z) {
  const Texels& texels = array->texels;
  return {texels.begin + z * texels.slice + y * texels.pitch + x, texels.pitch, texels.slice};
}

/// Returns whether [first, first + count) is inside [0, size).
bool fits(std::size_t first, std::size_t count, std::size_t size) {
  return first <= size && count <= size - first;
}

bool is_in_array(cudaArray_const_t array, std::size_t x, std::size_t y, const Size& size) {
  return fits(x, size.width, array->texels.pitch) &&
         fits(y, size.height, static_cast<std::size_t>(array->texels.height));
}

/// Returns whether the kind of a copy to or from an array matches the array's side.
bool is_kind_to_array(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
         kind == cudaMemcpyDefault;
}
bool is_kind_from_array(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ||
         kind == cudaMemcpyDefault;
}

/// Checks rows of `size.width` bytes at position x (in bytes), y of an array.
cudaError_t check_beside_array(cudaArray_const_t array, std::size_t x, std::size_t y,
                               const void* other, std::size_t pitch, const Size& size,
                               bool kind_fits) {
  if (!is_array(array)) return cudaErrorInvalidResourceHandle;
  if (!kind_fits) return cudaErrorInvalidMemcpyDirection;
  if (other == nullptr) return cudaErrorInvalidValue;
  if (pitch < size.width)
    return size.height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
  return is_in_array(array, x, y, size) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t copy_to_array(cudaArray_t target, std::size_t x, std::size_t y, const void* source,
                          std::size_t pitch, std::size_t width, std::size_t height,
                          cudaMemcpyKind kind, cudaStream_t stream, Returns returns) {
  const Size size = {width, height, 1};
  if (size.empty()) return cudaSuccess;
  if (const cudaError_t error =
          check_beside_array(target, x, y, source, pitch, size, is_kind_to_array(kind));
      error != cudaSuccess)
    return error;
  return copy_box(box_of(target, x, y, 0), {static_cast<const char*>(source), pitch, 0}, size, kind,
                  stream, returns);
}

cudaError_t copy_from_array(void* target, std::size_t pitch, cudaArray_const_t source,
                            std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                            cudaMemcpyKind kind, cudaStream_t stream, Returns returns) {
  const Size size = {width, height, 1};
  if (size.empty()) return cudaSuccess;
  if (const cudaError_t error =
          check_beside_array(source, x, y, target, pitch, size, is_kind_from_array(kind));
      error != cudaSuccess)
    return error;
  return copy_box({static_cast<const char*>(target), pitch, 0}, box_of(source, x, y, 0), size, kind,
                  stream, returns);
}

/// Returns the address of `bytes` bytes of an array that continue from row to row; null if there
/// are fewer.
const char* run_of(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t bytes) {
  const Texels& texels = array->texels;
  if (!fits(x, 0, texels.pitch) || !fits(y, 1, static_cast<std::size_t>(texels.height)))
    return nullptr;
  const std::size_t offset = y * texels.pitch + x;
  return fits(offset, bytes, texels.slice) ? texels.begin + offset : nullptr;
}

cudaError_t copy_run(const void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                     cudaStream_t stream, Returns returns) {
  return copy_box({static_cast<const char*>(target), 0, 0},
                  {static_cast<const char*>(source), 0, 0}, {bytes, 1, 1}, kind, stream, returns);
}

/// One side of a three-dimensional copy.
struct Side {
  cudaArray_const_t array;
  cudaPitchedPtr pointer;
  cudaPos position;  // in texels of the array; without an array, of the other side's array

  cudaError_t check(const cudaExtent& extent, std::size_t texel_bytes) const {
    if (array != nullptr) {
      const bool is_inside = fits(position.x, extent.width, array->extent.width) &&
                             fits(position.y, extent.height, rows_of(array->extent)) &&
                             fits(position.z, extent.depth, slices_of(array->extent));
      return is_inside ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (pointer.ptr == nullptr) return cudaErrorInvalidValue;
    const bool is_wide_enough =
        fits(position.x * texel_bytes, extent.width * texel_bytes, pointer.pitch);
    const bool is_tall_enough = extent.depth <= 1 || pointer.ysize >= extent.height;
    return is_wide_enough && is_tall_enough ? cudaSuccess : cudaErrorInvalidValue;
  }

  Box box(std::size_t texel_bytes) const {
    if (array != nullptr) return box_of(array, position.x * texel_bytes, position.y, position.z);
    return runtime::box_3d(pointer, {position.x * texel_bytes, position.y, position.z});
  }
};

}  // namespace

std::optional<TexelFormat> runtime::format_of(const cudaChannelFormatDesc& channels) {
  const int all[] = {channels.x, channels.y, channels.z, channels.w};
  unsigned count = 0;
  while (count < std::size(all) && all[count] != 0) ++count;
  for (unsigned i = 0; i < std::size(all); ++i)
    if (all[i] != (i < count ? all[0] : 0)) return std::nullopt;
  const int bits = channels.x;
  if ((count != 1 && count != 2 && count != 4) || (bits != 8 && bits != 16 && bits != 32))
    return std::nullopt;
  TexelFormat format;
  format.bits = static_cast<unsigned>(bits);
  format.channels = count;
  switch (channels.f) {
    case cudaChannelFormatKindSigned:
      format.type = ChannelType::signed_integer;
      return format;
    case cudaChannelFormatKindUnsigned:
      format.type = ChannelType::unsigned_integer;
      return format;
    case cudaChannelFormatKindFloat:
      format.type = ChannelType::real;
      return bits == 8 ? std::nullopt : std::optional(format);
    case cudaChannelFormatKindNone:
      return std::nullopt;
    default:
      unsupported("compressed and normalized formats of arrays");
  }
}

bool runtime::is_array(cudaArray_const_t array) {
  return array != nullptr && arrays().contains(const_cast<cudaArray_t>(array));
}

std::optional<std::vector<cudaArray_t>> runtime::levels_of(cudaMipmappedArray_const_t array) {
  std::optional<std::vector<cudaArray_t>> levels;
  mipmapped_arrays().with(const_cast<cudaMipmappedArray_t>(array),
                          [&](const cudaMipmappedArray& found) { levels = found.levels; });
  return levels;
}

void runtime::forget_arrays() noexcept {
  arrays().destroy_all();
  mipmapped_arrays().destroy_all();
}

cudaError_t runtime::copy_3d_of_arrays(const cudaMemcpy3DParms& parameters, cudaStream_t stream,
                                       Returns returns) {
  const Side target = {parameters.dstArray, parameters.dstPtr, parameters.dstPos};
  const Side source = {parameters.srcArray, parameters.srcPtr, parameters.srcPos};
  for (const Side* side : {&target, &source}) {
    if (side->array != nullptr && side->pointer.ptr != nullptr) return cudaErrorInvalidValue;
    if (side->array != nullptr && !is_array(side->array)) return cudaErrorInvalidResourceHandle;
  }
  const cudaExtent& extent = parameters.extent;
  const cudaMemcpyKind kind = parameters.kind;
  const bool both = target.array != nullptr && source.array != nullptr;
  const std::size_t texel_bytes =
      (target.array != nullptr ? target.array : source.array)->format.bytes();
  if (both && source.array->format.bytes() != texel_bytes) return cudaErrorInvalidValue;
  if (both && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidValue;
  if (!both && !(target.array != nullptr ? is_kind_to_array(kind) : is_kind_from_array(kind)))
    return cudaErrorInvalidMemcpyDirection;
  const Size size = {extent.width * texel_bytes, extent.height, extent.depth};
  if (size.empty()) return cudaSuccess;
  for (const Side* side : {&target, &source})
    if (const cudaError_t error = side->check(extent, texel_bytes); error != cudaSuccess)
      return error;
  return copy_box(target.box(texel_bytes), source.box(texel_bytes), size, kind, stream, returns);
}

// ---------------------------------------------------------------------------------------- arrays

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int flags) {
  return api_call([&] {
    // This call cannot describe the layers of a layered array.
    const bool has_depth = has(flags, cudaArrayLayered | cudaArrayCubemap);
    return has_depth ? cudaErrorInvalidValue : make_array(array, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned int flags) {
  return api_call([&] { return make_array(array, format, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api_call([&] {
    if (array == nullptr) return cudaSuccess;
    // A device follows a freed handle, whatever happens then.
    if (!is_array(array)) return cudaErrorContextIsDestroyed;
    if (array->is_level) return cudaSuccess;
    finish_all();
    if (sticky_error() != cudaSuccess) return sticky_error();
    runtime::release(array->texels.begin);
    arrays().destroy(array);
    return cudaSuccess;
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* format, cudaExtent extent,
                                     unsigned int levels, unsigned int flags) {
  return api_call([&] {
    if (array == nullptr || format == nullptr) return cudaErrorInvalidValue;
    const auto texels = runtime::format_of(*format);
    if (!texels) return cudaErrorInvalidChannelDescriptor;
    if (!is_valid_extent(extent, flags)) return cudaErrorInvalidValue;
    if (sticky_error() != cudaSuccess) return sticky_error();
    // As many levels as lead to a single texel, and at least one.
    constexpr std::size_t kAlignment = 256;
    std::vector<cudaArray> all;
    std::vector<std::size_t> offsets;
    std::size_t bytes = 0;
    for (;;) {
      all.push_back(describe(*format, *texels, extent, flags));
      all.back().is_level = true;
      offsets.push_back(bytes);
      bytes += (bytes_of(all.back()) + kAlignment - 1) / kAlignment * kAlignment;
      const bool is_single = extent.width <= 1 && extent.height <= 1 &&
                             (extent.depth <= 1 || has(flags, cudaArrayLayered | cudaArrayCubemap));
      if (is_single || all.size() >= levels) break;
      extent = next_level(extent, flags);
    }
    void* memory = nullptr;
    if (const cudaError_t error = runtime::allocate(&memory, bytes, Space::device);
        error != cudaSuccess)
      return error;
    cudaMipmappedArray made;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].texels.begin = static_cast<char*>(memory) + offsets[i];
      made.levels.push_back(arrays().create(all[i]));
    }
    *array = mipmapped_arrays().create(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int number) {
  return api_call([&] {
    const auto levels = runtime::levels_of(array);
    if (level == nullptr) return cudaErrorInvalidValue;
    if (!levels) return cudaErrorInvalidResourceHandle;
    if (number >= levels->size()) return cudaErrorInvalidValue;
    *level = (*levels)[number];
    return cudaSuccess;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return api_call([&] {
    const auto levels = runtime::levels_of(array);
    if (!levels) return array == nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle;
    finish_all();
    if (sticky_error() != cudaSuccess) return sticky_error();
    runtime::release(levels->front()->texels.begin);
    for (const cudaArray_t level : *levels) arrays().destroy(level);
    mipmapped_arrays().destroy(array);
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  return api_call([&] {
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    if (format != nullptr) *format = array->channels;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return api_call([&] {
    if (format == nullptr) return cudaErrorInvalidValue;
    if (!is_array(array)) return cudaErrorInvalidResourceHandle;
    *format = array->channels;
    return cudaSuccess;
  });
}

// ---------------------------------------------------------------------------------------- copies

cudaError_t cudaMemcpy2DToArray(cudaArray_t target, size_t x, size_t y, const void* source,
                                size_t pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call([&] {
    return copy_to_array(target, x, y, source, pitch, width, height, kind, nullptr,
                         Returns::when_done);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, size_t x, size_t y, const void* source,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return api_call([&] {
    return copy_to_array(target, x, y, source, pitch, width, height, kind, stream,
                         Returns::at_once);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* target, size_t pitch, cudaArray_const_t source, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call([&] {
    return copy_from_array(target, pitch, source, x, y, width, height, kind, nullptr,
                           Returns::when_done);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* target, size_t pitch, cudaArray_const_t source,
                                       size_t x, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return api_call([&] {
    return copy_from_array(target, pitch, source, x, y, width, height, kind, stream,
                           Returns::at_once);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, size_t targetX, size_t targetY,
                                     cudaArray_const_t source, size_t sourceX, size_t sourceY,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call([&] {
    const Size size = {width, height, 1};
    if (!is_array(target) || !is_array(source)) return cudaErrorInvalidResourceHandle;
    if (size.empty()) return cudaSuccess;
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    if (!is_in_array(target, targetX, targetY, size) ||
        !is_in_array(source, sourceX, sourceY, size))
      return cudaErrorInvalidValue;
    return copy_box(box_of(target, targetX, targetY, 0), box_of(source, sourceX, sourceY, 0), size,
                    kind, nullptr, Returns::when_done);
  });
}

// These copy consecutive bytes that continue from row to row.
namespace {

cudaError_t copy_run_to_array(cudaArray_t target, std::size_t x, std::size_t y, const void* source,
                              std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                              Returns returns) {
  if (!is_array(target)) return cudaErrorInvalidResourceHandle;
  if (!is_kind_to_array(kind)) return cudaErrorInvalidMemcpyDirection;
  const char* const run = run_of(target, x, y, bytes);
  if (run == nullptr || source == nullptr) return cudaErrorInvalidValue;
  return copy_run(run, source, bytes, kind, stream, returns);
}

cudaError_t copy_run_from_array(void* target, cudaArray_const_t source, std::size_t x,
                                std::size_t y, std::size_t bytes, cudaMemcpyKind kind,
                                cudaStream_t stream, Returns returns) {
  if (!is_array(source)) return cudaErrorInvalidResourceHandle;
  if (!is_kind_from_array(kind)) return cudaErrorInvalidMemcpyDirection;
  const char* const run = run_of(source, x, y, bytes);
  if (run == nullptr || target == nullptr) return cudaErrorInvalidValue;
  return copy_run(target, run, bytes, kind, stream, returns);
}

}  // namespace

cudaError_t cudaMemcpyToArray(cudaArray_t target, size_t x, size_t y, const void* source,
                              size_t bytes, cudaMemcpyKind kind) {
  return api_call([&] {
    return copy_run_to_array(target, x, y, source, bytes, kind, nullptr, Returns::when_done);
  });
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t target, size_t x, size_t y, const void* source,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return api_call([&] {
    return copy_run_to_array(target, x, y, source, bytes, kind, stream, Returns::at_once);
  });
}

cudaError_t cudaMemcpyFromArray(void* target, cudaArray_const_t source, size_t x, size_t y,
                                size_t bytes, cudaMemcpyKind kind) {
  return api_call([&] {
    return copy_run_from_array(target, source, x, y, bytes, kind, nullptr, Returns::when_done);
  });
}

cudaError_t cudaMemcpyFromArrayAsync(void* target, cudaArray_const_t source, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return api_call([&] {
    return copy_run_from_array(target, source, x, y, bytes, kind, stream, Returns::at_once);
  });
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t target, size_t targetX, size_t targetY,
                                   cudaArray_const_t source, size_t sourceX, size_t sourceY,
                                   size_t bytes, cudaMemcpyKind kind) {
  return api_call([&] {
    if (!is_array(target) || !is_array(source)) return cudaErrorInvalidResourceHandle;
    const char* const to = run_of(target, targetX, targetY, bytes);
    const char* const from = run_of(source, sourceX, sourceY, bytes);
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    return copy_run(to, from, bytes, kind, nullptr, Returns::when_done);
  });
}
