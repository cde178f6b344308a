// Arrays, copies of rows and boxes, textures and surfaces.
#include <cstring>

#include "call.hpp"
#include "copy_of.hpp"
#include "runtime/array.hpp"

using namespace emu;
using namespace emu::driver;

namespace {

cudaArray_t array_of(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
cudaMipmappedArray_t array_of(CUmipmappedArray array) {
  return reinterpret_cast<cudaMipmappedArray_t>(array);
}

struct Format {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr Format kFormats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
                               {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
                               {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
                               {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
                               {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
                               {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
                               {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
                               {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};

/// Returns the runtime's descriptor of an array's texels.
CUresult read_format(CUarray_format format, unsigned channels, cudaChannelFormatDesc& result) {
  if (channels != 1 && channels != 2 && channels != 4) return CUDA_ERROR_INVALID_VALUE;
  for (const Format& known : kFormats) {
    if (known.format != format) continue;
    const auto bits = [&](unsigned channel) { return channel < channels ? known.bits : 0; };
    result = {bits(0), bits(1), bits(2), bits(3), known.kind};
    return CUDA_SUCCESS;
  }
  if (format < CU_AD_FORMAT_UNSIGNED_INT8 || format == CU_AD_FORMAT_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  unsupported("compressed and normalized formats of arrays");
}

CUarray_format format_of(const cudaChannelFormatDesc& channels) {
  for (const Format& known : kFormats)
    if (known.bits == channels.x && known.kind == channels.f) return known.format;
  return CU_AD_FORMAT_MAX;
}

unsigned count_of(const cudaChannelFormatDesc& channels) {
  return (channels.x != 0) + (channels.y != 0) + (channels.z != 0) + (channels.w != 0);
}

std::size_t texel_bytes(CUarray array) { return array_of(array)->format.bytes(); }
bool is_array(CUarray array) { return runtime::is_array(array_of(array)); }

/// Fills in the descriptor of an array, for cuArrayGetDescriptor and cuArray3DGetDescriptor.
CUresult describe(CUarray array, CUDA_ARRAY3D_DESCRIPTOR& result) {
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;
  if (const cudaError_t error = cudaArrayGetInfo(&channels, &extent, &flags, array_of(array));
      error != cudaSuccess)
    return result_of(error);
  result = {extent.width,        extent.height,      extent.depth,
            format_of(channels), count_of(channels), flags};
  return CUDA_SUCCESS;
}

/// The source or the target of a copy, from CUDA_MEMCPY2D or CUDA_MEMCPY3D.
struct Side {
  std::size_t x, y, z;
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t pitch, height;

  const void* memory() const { return type == CU_MEMORYTYPE_HOST ? host : pointer(device); }
  bool has_array() const { return type == CU_MEMORYTYPE_ARRAY; }
};

struct Extent {
  std::size_t width, height, depth;
};

/// Converts one side of a copy into the runtime's form. The driver counts positions in bytes; the
/// runtime counts them in texels if the copy has an array.
CUresult read_side(const Side& side, std::size_t texel, const Extent& extent, cudaArray_t& array,
                   cudaPos& position, cudaPitchedPtr& memory) {
  if (side.type < CU_MEMORYTYPE_HOST || side.type > CU_MEMORYTYPE_UNIFIED)
    return CUDA_ERROR_INVALID_VALUE;
  if (side.x % texel != 0) return CUDA_ERROR_INVALID_VALUE;
  position = {side.x / (side.has_array() ? texel : 1), side.y, side.z};
  if (side.has_array()) {
    array = array_of(side.array);
    return is_array(side.array) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  }
  if (texel != 1) position.x /= texel;  // the copy counts in texels
  const std::size_t row = side.x + extent.width;
  memory = {const_cast<void*>(side.memory()), side.pitch ? side.pitch : row, row,
            side.height ? side.height : side.y + extent.height};
  return memory.ptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

cudaMemcpyKind kind_of(CUmemorytype source, CUmemorytype target) {
  if (source == CU_MEMORYTYPE_UNIFIED || target == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  const bool from_host = source == CU_MEMORYTYPE_HOST, to_host = target == CU_MEMORYTYPE_HOST;
  if (from_host) return to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

CUresult read_sides(const Side& source, const Side& target, const Extent& extent,
                    cudaMemcpy3DParms& result) {
  result = {};
  std::size_t texel = 1;
  for (const Side* side : {&source, &target}) {
    if (!side->has_array()) continue;
    if (!is_array(side->array)) return CUDA_ERROR_INVALID_HANDLE;
    texel = texel_bytes(side->array);
  }
  if (extent.width % texel != 0) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = read_side(source, texel, extent, result.srcArray, result.srcPos, result.srcPtr);
  if (error == CUDA_SUCCESS)
    error = read_side(target, texel, extent, result.dstArray, result.dstPos, result.dstPtr);
  result.extent = {extent.width / texel, extent.height, extent.depth};
  result.kind = kind_of(source.type, target.type);
  return error;
}

template <class Copy>
CUresult copy_at_once(const Copy* copy) {
  cudaMemcpy3DParms parameters;
  if (const CUresult error = read_copy(copy, parameters); error != CUDA_SUCCESS) return error;
  return result_of(cudaMemcpy3D(&parameters));
}

template <class Copy>
CUresult copy_in_stream(const Copy* copy, CUstream stream) {
  cudaMemcpy3DParms parameters;
  if (const CUresult error = read_copy(copy, parameters); error != CUDA_SUCCESS) return error;
  return result_of(cudaMemcpy3DAsync(&parameters, stream));
}

/// Converts a resource into the runtime's form.
CUresult read_resource(const CUDA_RESOURCE_DESC* given, cudaResourceDesc& result) {
  if (given == nullptr || given->flags != 0) return CUDA_ERROR_INVALID_VALUE;
  result = {};
  result.resType = static_cast<cudaResourceType>(given->resType);
  switch (given->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      if (given->res.array.hArray == nullptr) return CUDA_ERROR_INVALID_VALUE;
      result.res.array.array = array_of(given->res.array.hArray);
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      result.res.mipmap.mipmap = array_of(given->res.mipmap.hMipmappedArray);
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR:
      result.res.linear.devPtr = pointer(given->res.linear.devPtr);
      result.res.linear.sizeInBytes = given->res.linear.sizeInBytes;
      return read_format(given->res.linear.format, given->res.linear.numChannels,
                         result.res.linear.desc);
    case CU_RESOURCE_TYPE_PITCH2D:
      result.res.pitch2D.devPtr = pointer(given->res.pitch2D.devPtr);
      result.res.pitch2D.width = given->res.pitch2D.width;
      result.res.pitch2D.height = given->res.pitch2D.height;
      result.res.pitch2D.pitchInBytes = given->res.pitch2D.pitchInBytes;
      return read_format(given->res.pitch2D.format, given->res.pitch2D.numChannels,
                         result.res.pitch2D.desc);
  }
  return CUDA_ERROR_INVALID_VALUE;
}

/// Returns whether a texture of these texels reads them as fractions unless it is told to read
/// integers.
bool has_fractions(const cudaResourceDesc& resource) {
  cudaChannelFormatDesc channels{};
  if (resource.resType == cudaResourceTypeLinear) channels = resource.res.linear.desc;
  if (resource.resType == cudaResourceTypePitch2D) channels = resource.res.pitch2D.desc;
  cudaArray_t array = nullptr;
  if (resource.resType == cudaResourceTypeArray) array = resource.res.array.array;
  if (resource.resType == cudaResourceTypeMipmappedArray)
    cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, 0);
  if (array != nullptr && runtime::is_array(array)) channels = array->channels;
  return channels.f != cudaChannelFormatKindFloat && channels.x < 32;
}

cudaTextureDesc sampling_of(const CUDA_TEXTURE_DESC& given, const cudaResourceDesc& resource) {
  cudaTextureDesc result{};
  for (int i = 0; i < 3; ++i)
    result.addressMode[i] = static_cast<cudaTextureAddressMode>(given.addressMode[i]);
  result.filterMode = static_cast<cudaTextureFilterMode>(given.filterMode);
  const bool as_integers = (given.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  result.readMode = !as_integers && has_fractions(resource) ? cudaReadModeNormalizedFloat
                                                            : cudaReadModeElementType;
  result.sRGB = (given.flags & CU_TRSF_SRGB) != 0;
  std::memcpy(result.borderColor, given.borderColor, sizeof(result.borderColor));
  result.normalizedCoords = (given.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  result.maxAnisotropy = given.maxAnisotropy;
  result.mipmapFilterMode = static_cast<cudaTextureFilterMode>(given.mipmapFilterMode);
  result.mipmapLevelBias = given.mipmapLevelBias;
  result.minMipmapLevelClamp = given.minMipmapLevelClamp;
  result.maxMipmapLevelClamp = given.maxMipmapLevelClamp;
  result.disableTrilinearOptimization = (given.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  result.seamlessCubemap = (given.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  return result;
}

CUresult make_array(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR& given) {
  cudaChannelFormatDesc channels;
  if (const CUresult error = read_format(given.Format, given.NumChannels, channels);
      error != CUDA_SUCCESS)
    return error;
  return result_of(cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &channels,
                                     {given.Width, given.Height, given.Depth}, given.Flags));
}

}  // namespace

CUresult emu::driver::read_copy(const CUDA_MEMCPY3D* copy, cudaMemcpy3DParms& result) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return read_sides({copy->srcXInBytes, copy->srcY, copy->srcZ, copy->srcMemoryType, copy->srcHost,
                     copy->srcDevice, copy->srcArray, copy->srcPitch, copy->srcHeight},
                    {copy->dstXInBytes, copy->dstY, copy->dstZ, copy->dstMemoryType, copy->dstHost,
                     copy->dstDevice, copy->dstArray, copy->dstPitch, copy->dstHeight},
                    {copy->WidthInBytes, copy->Height, copy->Depth}, result);
}

CUresult emu::driver::read_copy(const CUDA_MEMCPY2D* copy, cudaMemcpy3DParms& result) {
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return read_sides({copy->srcXInBytes, copy->srcY, 0, copy->srcMemoryType, copy->srcHost,
                     copy->srcDevice, copy->srcArray, copy->srcPitch, 0},
                    {copy->dstXInBytes, copy->dstY, 0, copy->dstMemoryType, copy->dstHost,
                     copy->dstDevice, copy->dstArray, copy->dstPitch, 0},
                    {copy->WidthInBytes, copy->Height, 1}, result);
}

// ----------------------------------------------------------------------------------------- arrays

CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* given) {
  return call([&] {
    if (array == nullptr || given == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return make_array(array,
                      {given->Width, given->Height, 0, given->Format, given->NumChannels, 0});
  });
}

CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* given) {
  return call([&] {
    if (array == nullptr || given == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return make_array(array, *given);
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* result, CUarray array) {
  return call([&] {
    if (result == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR all;
    const CUresult error = describe(array, all);
    if (error == CUDA_SUCCESS) *result = {all.Width, all.Height, all.Format, all.NumChannels};
    return error;
  });
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* result, CUarray array) {
  return call([&] { return result ? describe(array, *result) : CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuArrayDestroy(CUarray array) {
  return call([&] {
    if (!is_array(array)) return CUDA_ERROR_INVALID_HANDLE;
    return result_of(cudaFreeArray(array_of(array)));
  });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* given,
                                unsigned int levels) {
  return call([&] {
    if (array == nullptr || given == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaChannelFormatDesc channels;
    const CUresult error = read_format(given->Format, given->NumChannels, channels);
    if (error != CUDA_SUCCESS) return error;
    return result_of(cudaMallocMipmappedArray(
        reinterpret_cast<cudaMipmappedArray_t*>(array), &channels,
        {given->Width, given->Height, given->Depth}, levels, given->Flags));
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned int number) {
  return call([&] {
    return cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t*>(level), array_of(array),
                                      number);
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return call([&] { return cudaFreeMipmappedArray(array_of(array)); });
}

// ----------------------------------------------------------------------------------------- copies

CUresult cuMemcpyDtoA_v2(CUarray target, size_t offset, CUdeviceptr source, size_t bytes) {
  return call([&] {
    return cudaMemcpyToArray(array_of(target), offset, 0, pointer(source), bytes,
                             cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr target, CUarray source, size_t offset, size_t bytes) {
  return call([&] {
    return cudaMemcpyFromArray(pointer(target), array_of(source), offset, 0, bytes,
                               cudaMemcpyDeviceToDevice);
  });
}

CUresult cuMemcpyHtoA_v2(CUarray target, size_t offset, const void* source, size_t bytes) {
  return call([&] {
    return cudaMemcpyToArray(array_of(target), offset, 0, source, bytes, cudaMemcpyHostToDevice);
  });
}

CUresult cuMemcpyAtoH_v2(void* target, CUarray source, size_t offset, size_t bytes) {
  return call([&] {
    return cudaMemcpyFromArray(target, array_of(source), offset, 0, bytes, cudaMemcpyDeviceToHost);
  });
}

CUresult cuMemcpyAtoA_v2(CUarray target, size_t target_offset, CUarray source, size_t source_offset,
                         size_t bytes) {
  return call([&] {
    return cudaMemcpyArrayToArray(array_of(target), target_offset, 0, array_of(source),
                                  source_offset, 0, bytes);
  });
}

CUresult cuMemcpyHtoAAsync_v2(CUarray target, size_t offset, const void* source, size_t bytes,
                              CUstream stream) {
  return call([&] {
    return cudaMemcpyToArrayAsync(array_of(target), offset, 0, source, bytes,
                                  cudaMemcpyHostToDevice, stream);
  });
}

CUresult cuMemcpyAtoHAsync_v2(void* target, CUarray source, size_t offset, size_t bytes,
                              CUstream stream) {
  return call([&] {
    return cudaMemcpyFromArrayAsync(target, array_of(source), offset, 0, bytes,
                                    cudaMemcpyDeviceToHost, stream);
  });
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) {
  return call([&] { return copy_at_once(copy); });
}
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return call([&] { return copy_at_once(copy); });
}
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return call([&] { return copy_in_stream(copy, stream); });
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) {
  return call([&] { return copy_at_once(copy); });
}
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return call([&] { return copy_in_stream(copy, stream); });
}

// --------------------------------------------------------------------------- textures and surfaces

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* description,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  return call([&] {
    if (texture == nullptr || description == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaResourceDesc own_resource;
    if (const CUresult error = read_resource(resource, own_resource); error != CUDA_SUCCESS)
      return error;
    const cudaTextureDesc sampling = sampling_of(*description, own_resource);
    static_assert(sizeof(cudaResourceViewDesc) == sizeof(CUDA_RESOURCE_VIEW_DESC));
    return result_of(cudaCreateTextureObject(texture, &own_resource, &sampling,
                                             reinterpret_cast<const cudaResourceViewDesc*>(view)));
  });
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
  return call([&] { return cudaDestroyTextureObject(texture); });
}

CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
  return call([&] {
    cudaResourceDesc own_resource;
    if (const CUresult error = read_resource(resource, own_resource); error != CUDA_SUCCESS)
      return error;
    return result_of(cudaCreateSurfaceObject(surface, &own_resource));
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  return call([&] { return cudaDestroySurfaceObject(surface); });
}
