// Tests the results of calls about arrays, textures and surfaces, as with CUDA 13.0 on an H200.
// Passes on a device, too.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cuda_error_text.hpp"

namespace {

constexpr auto kToDevice = cudaMemcpyHostToDevice;
constexpr auto kToHost = cudaMemcpyDeviceToHost;
constexpr auto kOnDevice = cudaMemcpyDeviceToDevice;

const cudaChannelFormatDesc kFloat = cudaCreateChannelDesc<float>();

cudaArray_t array_of(const cudaChannelFormatDesc& format, std::size_t width, std::size_t height,
                     unsigned flags = 0) {
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, width, height, flags) == cudaSuccess);
  return array;
}

cudaError_t make(cudaExtent extent, unsigned flags = 0) {
  cudaArray_t array = nullptr;
  const cudaError_t error = cudaMalloc3DArray(&array, &kFloat, extent, flags);
  if (error == cudaSuccess) CHECK(cudaFreeArray(array) == cudaSuccess);
  return error;
}

cudaError_t make_of(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(x, y, z, w, kind);
  cudaArray_t array = nullptr;
  return cudaMallocArray(&array, &format, 4, 4);
}

/// A resource and a description, which a test changes before it creates a texture.
struct Parts {
  cudaResourceDesc resource{};
  cudaTextureDesc sampling{};

  explicit Parts(cudaArray_t array) {
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
  }
  Parts(void* pointer, std::size_t bytes) {
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = pointer;
    resource.res.linear.desc = kFloat;
    resource.res.linear.sizeInBytes = bytes;
  }
  Parts(void* pointer, std::size_t pitch, std::size_t width, std::size_t height) {
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pointer;
    resource.res.pitch2D.desc = kFloat;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
  }

  cudaError_t make(const cudaResourceViewDesc* view = nullptr) const {
    cudaTextureObject_t texture = 0;
    const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &sampling, view);
    if (error == cudaSuccess) CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
    return error;
  }
};

cudaError_t make_surface(cudaSurfaceObject_t* surface, const Parts& parts) {
  return cudaCreateSurfaceObject(surface, &parts.resource);
}

/// Five floats by three, and other memory.
struct Floats {
  cudaArray_t array = array_of(kFloat, 5, 3);
  float host[64] = {};
  float* device = nullptr;

  Floats() {
    for (int i = 0; i < 64; ++i) host[i] = static_cast<float>(i + 1);
    REQUIRE(cudaMalloc(&device, 4096) == cudaSuccess);
  }
  ~Floats() {
    cudaFree(device);
    cudaFreeArray(array);
    cudaGetLastError();  // clears the error that a test has caused
  }
  std::vector<float> texels() const {
    std::vector<float> all(15);
    CHECK(cudaMemcpy2DFromArray(all.data(), 20, array, 0, 0, 20, 3, kToHost) == cudaSuccess);
    return all;
  }
};

}  // namespace

TEST_CASE("arrays have the shapes that a device has") {
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(nullptr, &kFloat, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, nullptr, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &kFloat, 4, 4, 99) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &kFloat, 4, 4, cudaArrayLayered) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &kFloat, 4, 0, cudaArrayTextureGather) == cudaErrorInvalidValue);
  for (const unsigned flags : {cudaArraySurfaceLoadStore, cudaArrayTextureGather})
    CHECK(cudaFreeArray(array_of(kFloat, 4, 4, flags)) == cudaSuccess);
  CHECK(make({0, 0, 0}) == cudaErrorInvalidValue);
  CHECK(make({0, 4, 0}) == cudaErrorInvalidValue);
  CHECK(make({131072, 0, 0}) == cudaSuccess);
  CHECK(make({131073, 0, 0}) == cudaErrorInvalidValue);
  CHECK(make({131072, 1, 0}) == cudaSuccess);
  CHECK(make({1, 65536, 0}) == cudaSuccess);
  CHECK(make({1, 65537, 0}) == cudaErrorInvalidValue);
  CHECK(make({16384, 1, 1}) == cudaSuccess);
  CHECK(make({16385, 1, 1}) == cudaErrorInvalidValue);
  CHECK(make({1, 0, 5}) == cudaErrorInvalidValue);
  CHECK(make({4, 0, 5}, cudaArrayLayered) == cudaSuccess);
  CHECK(make({4, 4, 0}, cudaArrayLayered) == cudaErrorInvalidValue);
  CHECK(make({4, 4, 2048}, cudaArrayLayered) == cudaSuccess);
  CHECK(make({4, 4, 2049}, cudaArrayLayered) == cudaErrorInvalidValue);
  CHECK(make({4, 4, 6}, cudaArrayCubemap) == cudaSuccess);
  CHECK(make({4, 5, 6}, cudaArrayCubemap) == cudaErrorInvalidValue);
  CHECK(make({4, 4, 5}, cudaArrayCubemap) == cudaErrorInvalidValue);
  CHECK(make({4, 4, 12}, cudaArrayCubemap | cudaArrayLayered) == cudaSuccess);
  CHECK(make({4, 4, 13}, cudaArrayCubemap | cudaArrayLayered) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("texels have one, two or four channels of equal width") {
  CHECK(make_of(32, 32, 0, 0, cudaChannelFormatKindFloat) == cudaSuccess);
  CHECK(make_of(16, 0, 0, 0, cudaChannelFormatKindFloat) == cudaSuccess);
  CHECK(make_of(8, 8, 8, 8, cudaChannelFormatKindUnsigned) == cudaSuccess);
  const struct {
    int x, y, z, w;
    cudaChannelFormatKind kind;
  } refused[] = {
      {32, 32, 32, 0, cudaChannelFormatKindFloat}, {64, 0, 0, 0, cudaChannelFormatKindSigned},
      {8, 8, 8, 0, cudaChannelFormatKindUnsigned}, {8, 0, 0, 0, cudaChannelFormatKindFloat},
      {32, 16, 0, 0, cudaChannelFormatKindSigned}, {0, 0, 0, 0, cudaChannelFormatKindSigned},
      {8, 0, 0, 0, cudaChannelFormatKindNone},     {0, 8, 0, 0, cudaChannelFormatKindSigned},
      {32, 0, 32, 0, cudaChannelFormatKindSigned}};
  for (const auto& one : refused)
    CHECK(make_of(one.x, one.y, one.z, one.w, one.kind) == cudaErrorInvalidChannelDescriptor);
  cudaGetLastError();
}

TEST_CASE("an array tells what it is") {
  const cudaArray_t array = array_of(kFloat, 5, 3);
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 7;
  CHECK(cudaArrayGetInfo(&format, &extent, &flags, array) == cudaSuccess);
  CHECK(format.x == 32);
  CHECK(format.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == 5);
  CHECK(extent.height == 3);
  CHECK(extent.depth == 0);
  CHECK(flags == 0);
  CHECK(cudaArrayGetInfo(nullptr, nullptr, nullptr, array) == cudaSuccess);
  CHECK(cudaGetChannelDesc(&format, array) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(nullptr) == cudaSuccess);
}

TEST_CASE("rows are copied to an array and from it") {
  Floats f;
  const auto to = [&](std::size_t x, std::size_t y, const void* source, std::size_t pitch,
                      std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2DToArray(f.array, x, y, source, pitch, width, height, kind);
  };
  CHECK(to(0, 0, f.host, 20, 20, 3, kToDevice) == cudaSuccess);
  CHECK(f.texels() == std::vector<float>(f.host, f.host + 15));
  CHECK(to(4, 0, f.host, 20, 20, 3, kToDevice) == cudaErrorInvalidValue);
  CHECK(to(4, 0, f.host, 16, 16, 3, kToDevice) == cudaSuccess);
  CHECK(f.texels()[1] == 1);
  CHECK(f.texels()[6] == 5);
  CHECK(to(3, 0, f.host, 16, 8, 3, kToDevice) == cudaSuccess);
  CHECK(to(0, 1, f.host, 20, 20, 3, kToDevice) == cudaErrorInvalidValue);
  CHECK(to(0, 0, f.host, 16, 20, 3, kToDevice) == cudaErrorInvalidPitchValue);
  CHECK(to(0, 0, f.host, 16, 20, 1, kToDevice) == cudaErrorInvalidValue);
  CHECK(to(0, 0, f.device, 20, 20, 3, kToDevice) == cudaSuccess);
  CHECK(to(0, 0, f.device, 20, 20, 3, kOnDevice) == cudaSuccess);
  CHECK(to(0, 0, f.host, 20, 20, 3, kOnDevice) == cudaErrorInvalidValue);
  CHECK(to(0, 0, f.host, 20, 20, 3, kToHost) == cudaErrorInvalidMemcpyDirection);
  CHECK(to(0, 0, f.host, 20, 20, 3, cudaMemcpyDefault) == cudaSuccess);
  CHECK(to(0, 0, nullptr, 20, 20, 3, kToDevice) == cudaErrorInvalidValue);
  CHECK(to(0, 0, f.host, 20, 0, 3, kToDevice) == cudaSuccess);
  CHECK(to(0, 0, f.host, 20, 7, 1, kToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2DToArray(nullptr, 0, 0, f.host, 20, 20, 3, kToDevice) ==
        cudaErrorInvalidResourceHandle);
  const auto from = [&](std::size_t pitch, std::size_t width) {
    return cudaMemcpy2DFromArray(f.host, pitch, f.array, 0, 0, width, 3, kToHost);
  };
  CHECK(from(20, 20) == cudaSuccess);
  CHECK(from(16, 20) == cudaErrorInvalidPitchValue);
  CHECK(from(20, 24) == cudaErrorInvalidPitchValue);
}

TEST_CASE("a run of bytes goes on from row to row") {
  Floats f;
  CHECK(cudaMemcpyToArray(f.array, 0, 0, f.host, 60, kToDevice) == cudaSuccess);
  CHECK(cudaMemcpyToArray(f.array, 4, 0, f.host, 24, kToDevice) == cudaSuccess);
  CHECK(f.texels() == std::vector<float>{1, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15});
  float back[7] = {};
  CHECK(cudaMemcpyFromArray(back, f.array, 4, 1, 28, kToHost) == cudaSuccess);
  CHECK(std::vector<float>(back, back + 7) == std::vector<float>{6, 8, 9, 10, 11, 12, 13});
  // A device copies the rows that fit before it reports the error.
  CHECK(cudaMemcpyToArray(f.array, 0, 0, f.host, 64, kToDevice) == cudaErrorInvalidValue);
}

TEST_CASE("arrays are copied to arrays") {
  Floats f;
  CHECK(cudaMemcpyToArray(f.array, 0, 0, f.host, 60, kToDevice) == cudaSuccess);
  const cudaArray_t wide = array_of(kFloat, 8, 8);
  CHECK(cudaMemcpy2DArrayToArray(wide, 4, 1, f.array, 0, 0, 20, 3) == cudaSuccess);
  float row[8] = {};
  CHECK(cudaMemcpy2DFromArray(row, 32, wide, 0, 2, 32, 1, kToHost) == cudaSuccess);
  CHECK(row[1] == 6);
  CHECK(row[5] == 10);
  CHECK(cudaMemcpy2DArrayToArray(wide, 16, 1, f.array, 0, 0, 20, 3) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyArrayToArray(wide, 0, 0, f.array, 0, 0, 60) == cudaSuccess);
  CHECK(cudaFreeArray(wide) == cudaSuccess);
}

TEST_CASE("a copy in three dimensions counts texels where an array takes part") {
  Floats f;
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(f.host, 20, 5, 3);
  p.dstArray = f.array;
  p.extent = make_cudaExtent(5, 3, 1);
  p.kind = kToDevice;
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  p.extent.width = 6;
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  p.extent = make_cudaExtent(5, 3, 0);
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  p.extent = make_cudaExtent(4, 3, 1);
  p.srcPos.x = 4;
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  p.srcPos.x = 1;
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  CHECK(f.texels()[0] == 2);
  p.srcPos.x = 0;
  p.dstPos.x = 1;
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  p.dstPos.x = 2;
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  p.dstPos.x = 0;
  p.dstPtr = p.srcPtr;
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
}

TEST_CASE("arrays are copied to arrays in three dimensions") {
  Floats f;
  cudaMemcpy3DParms p{};
  p.srcArray = f.array;
  p.dstArray = array_of(kFloat, 8, 8);
  p.extent = make_cudaExtent(5, 3, 1);
  p.kind = kOnDevice;
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  p.kind = kToDevice;
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  p.kind = cudaMemcpyDefault;
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  CHECK(cudaFreeArray(p.dstArray) == cudaSuccess);
  p.dstArray = array_of(cudaCreateChannelDesc<uchar4>(), 8, 8);
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  CHECK(cudaFreeArray(p.dstArray) == cudaSuccess);
  p.dstArray = array_of(cudaCreateChannelDesc<unsigned char>(), 80, 8);
  CHECK(cudaMemcpy3D(&p) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(p.dstArray) == cudaSuccess);
}

TEST_CASE("what a texture gives fits its texels") {
  Floats f;
  const Parts plain(f.array);
  CHECK(plain.make() == cudaSuccess);
  Parts parts = plain;
  parts.sampling.filterMode = cudaFilterModeLinear;
  CHECK(parts.make() == cudaSuccess);
  parts = plain;
  parts.sampling.readMode = cudaReadModeNormalizedFloat;
  CHECK(parts.make() == cudaErrorInvalidNormSetting);
  const cudaArray_t integers = array_of(cudaCreateChannelDesc<int>(), 4, 4);
  const cudaArray_t bytes = array_of(cudaCreateChannelDesc<uchar4>(), 4, 4);
  parts = Parts(integers);
  parts.sampling.filterMode = cudaFilterModeLinear;
  CHECK(parts.make() == cudaErrorInvalidFilterSetting);
  parts = Parts(integers);
  parts.sampling.readMode = cudaReadModeNormalizedFloat;
  CHECK(parts.make() == cudaErrorInvalidNormSetting);
  parts = Parts(bytes);
  parts.sampling.filterMode = cudaFilterModeLinear;
  CHECK(parts.make() == cudaErrorInvalidFilterSetting);
  parts.sampling.readMode = cudaReadModeNormalizedFloat;
  CHECK(parts.make() == cudaSuccess);
  parts = plain;
  parts.sampling.sRGB = 1;
  CHECK(parts.make() == cudaSuccess);
  parts = plain;
  parts.resource.res.array.array = nullptr;
  CHECK(parts.make() == cudaErrorInvalidResourceHandle);
  parts = plain;
  parts.resource.resType = static_cast<cudaResourceType>(9);
  CHECK(parts.make() == cudaErrorInvalidValue);
  parts = plain;
  parts.sampling.addressMode[0] = static_cast<cudaTextureAddressMode>(9);
  CHECK(parts.make() == cudaErrorInvalidValue);
  parts = plain;
  parts.sampling.filterMode = static_cast<cudaTextureFilterMode>(9);
  CHECK(parts.make() == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(integers) == cudaSuccess);
  CHECK(cudaFreeArray(bytes) == cudaSuccess);
}

TEST_CASE("a texture reads linear memory from a multiple of 512 bytes on") {
  Floats f;
  CHECK(Parts(f.device, 400).make() == cudaSuccess);
  CHECK(Parts(f.device + 1, 400).make() == cudaErrorInvalidValue);
  CHECK(Parts(f.device + 16, 400).make() == cudaErrorInvalidValue);
  CHECK(Parts(f.device + 128, 400).make() == cudaSuccess);
  CHECK(Parts(f.device, 1 << 24).make() == cudaSuccess);
  CHECK(Parts(f.device, std::size_t{0}).make() == cudaSuccess);
  CHECK(Parts(f.device, 2).make() == cudaSuccess);
  CHECK(Parts(nullptr, 400).make() == cudaErrorInvalidValue);
  CHECK(Parts(f.host, 64).make() == cudaErrorInvalidValue);
  Parts three(f.device, 480);
  three.resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  CHECK(three.make() == cudaErrorInvalidChannelDescriptor);
}

TEST_CASE("rows of linear memory are multiples of 32 bytes apart") {
  Floats f;
  CHECK(Parts(f.device, 512, 5, 4).make() == cudaSuccess);
  CHECK(Parts(f.device, 32, 5, 4).make() == cudaSuccess);
  CHECK(Parts(f.device, 20, 5, 4).make() == cudaErrorInvalidValue);
  CHECK(Parts(f.device, 36, 5, 4).make() == cudaErrorInvalidValue);
  CHECK(Parts(f.device, 16, 5, 4).make() == cudaErrorInvalidValue);
  CHECK(Parts(f.device + 16, 512, 5, 4).make() == cudaErrorInvalidValue);
  CHECK(Parts(f.device + 8, 512, 5, 4).make() == cudaErrorInvalidValue);
  CHECK(Parts(f.device, 512, 0, 4).make() == cudaSuccess);
  CHECK(Parts(f.device, 1 << 20, 131073, 1).make() == cudaErrorInvalidValue);
}

TEST_CASE("a texture tells what it was made of") {
  Floats f;
  const Parts parts(f.array);
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(nullptr, nullptr, nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaCreateTextureObject(&texture, nullptr, &parts.sampling, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaCreateTextureObject(&texture, &parts.resource, nullptr, nullptr) ==
        cudaErrorInvalidResourceHandle);
  REQUIRE(cudaCreateTextureObject(&texture, &parts.resource, &parts.sampling, nullptr) ==
          cudaSuccess);
  cudaResourceDesc resource{};
  cudaTextureDesc sampling{};
  cudaResourceViewDesc view{};
  CHECK(cudaGetTextureObjectResourceDesc(&resource, texture) == cudaSuccess);
  CHECK(resource.res.array.array == f.array);
  CHECK(cudaGetTextureObjectTextureDesc(&sampling, texture) == cudaSuccess);
  CHECK(cudaGetTextureObjectResourceViewDesc(&view, texture) == cudaSuccess);
  for (const cudaTextureObject_t one : {texture, texture, 0ull, 12345ull})
    CHECK(cudaDestroyTextureObject(one) == cudaSuccess);
  CHECK(cudaGetTextureObjectResourceDesc(&resource, 999999) == cudaErrorInvalidValue);
}

TEST_CASE("a view has as many bytes as the texels") {
  Floats f;
  const Parts parts(f.array);
  cudaResourceViewDesc view{};
  view.width = 5;
  view.height = 3;
  const std::pair<cudaResourceViewFormat, cudaError_t> views[] = {
      {cudaResViewFormatFloat1, cudaSuccess},
      {cudaResViewFormatSignedInt1, cudaSuccess},
      {cudaResViewFormatUnsignedChar4, cudaSuccess},
      {cudaResViewFormatFloat2, cudaErrorInvalidValue},
      {cudaResViewFormatNone, cudaErrorInvalidValue}};
  for (const auto& [format, error] : views) {
    view.format = format;
    CHECK(parts.make(&view) == error);
  }
}

TEST_CASE("surfaces are made of arrays") {
  Floats f;
  Parts parts(f.array);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &parts.resource) == cudaSuccess);
  cudaResourceDesc resource{};
  CHECK(cudaGetSurfaceObjectResourceDesc(&resource, surface) == cudaSuccess);
  CHECK(resource.res.array.array == f.array);
  for (const cudaSurfaceObject_t one : {surface, surface, 0ull})
    CHECK(cudaDestroySurfaceObject(one) == cudaSuccess);
  CHECK(cudaCreateSurfaceObject(nullptr, &parts.resource) == cudaErrorInvalidValue);
  CHECK(cudaCreateSurfaceObject(&surface, nullptr) == cudaErrorInvalidValue);
  CHECK(make_surface(&surface, Parts(f.device, 400)) == cudaErrorInvalidValue);
}

TEST_CASE("a mipmapped array has levels down to a single texel") {
  cudaMipmappedArray_t array = nullptr;
  cudaArray_t level = nullptr;
  for (const unsigned levels : {0u, 6u, 5u})
    CHECK(cudaMallocMipmappedArray(&array, &kFloat, {16, 8, 0}, levels) == cudaSuccess);
  CHECK(cudaGetMipmappedArrayLevel(&level, array, 5) == cudaErrorInvalidValue);
  CHECK(cudaGetMipmappedArrayLevel(&level, array, 4) == cudaSuccess);
  CHECK(cudaFreeArray(level) == cudaSuccess);
  CHECK(cudaFreeMipmappedArray(array) == cudaSuccess);
  cudaGetLastError();
}

// ------------------------------------------------------------------------------------- surfaces

namespace {

constexpr int kLeft = -3, kRight = 9, kTop = -2, kBottom = 5;

template <cudaSurfaceBoundaryMode mode>
__global__ void read_around(cudaSurfaceObject_t surface, float* out) {
  for (int y = kTop; y < kBottom; ++y)
    for (int x = kLeft; x < kRight; ++x)
      *out++ = surf2Dread<float>(surface, x * static_cast<int>(sizeof(float)), y, mode);
}

template <cudaSurfaceBoundaryMode mode>
__global__ void write_around(cudaSurfaceObject_t surface) {
  for (int y = kTop; y < kBottom; ++y)
    for (int x = kLeft; x < kRight; ++x)
      surf2Dwrite(1000.0f + 100.0f * y + x, surface, x * static_cast<int>(sizeof(float)), y, mode);
}

/// Reads and writes other types in the bytes of floats.
__global__ void other_types(cudaSurfaceObject_t surface, float4* four, unsigned char* byte) {
  surf2Dread(four, surface, 0, 0);
  *byte = surf2Dread<unsigned char>(surface, 7, 1);
  surf2Dwrite(make_float2(7, 8), surface, 8, 2);
  surf2Dwrite(static_cast<unsigned char>(200), surface, 5, 1);
}

__global__ void turn_slices(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x * sizeof(int), y = threadIdx.y, z = threadIdx.z;
  surf3Dwrite(surf2DLayeredread<int>(from, x, y, z), to, x, y, blockDim.z - 1 - z);
}

}  // namespace

TEST_CASE("outside a surface, reads and writes do what the mode says") {
  Floats f;
  CHECK(cudaMemcpyToArray(f.array, 0, 0, f.host, 60, kToDevice) == cudaSuccess);
  cudaSurfaceObject_t surface = 0;
  REQUIRE(make_surface(&surface, Parts(f.array)) == cudaSuccess);
  constexpr int kAround = (kRight - kLeft) * (kBottom - kTop);
  const auto found = [&] {
    std::vector<float> all(kAround);
    CHECK(cudaMemcpy(all.data(), f.device, kAround * sizeof(float), kToHost) == cudaSuccess);
    return all;
  };
  read_around<cudaBoundaryModeZero><<<1, 1>>>(surface, f.device);
  const auto zero = found();
  read_around<cudaBoundaryModeClamp><<<1, 1>>>(surface, f.device);
  const auto clamped = found();
  for (int y = kTop; y < kBottom; ++y)
    for (int x = kLeft; x < kRight; ++x) {
      const int i = (y - kTop) * (kRight - kLeft) + x - kLeft;
      const bool is_inside = x >= 0 && x < 5 && y >= 0 && y < 3;
      CHECK(zero[i] == (is_inside ? 5 * y + x + 1 : 0));
      CHECK(clamped[i] == 5 * std::clamp(y, 0, 2) + std::clamp(x, 0, 4) + 1);
    }
  write_around<cudaBoundaryModeZero><<<1, 1>>>(surface);
  CHECK(f.texels() == std::vector<float>{1000, 1001, 1002, 1003, 1004, 1100, 1101, 1102, 1103, 1104,
                                         1200, 1201, 1202, 1203, 1204});
  write_around<cudaBoundaryModeClamp><<<1, 1>>>(surface);
  CHECK(f.texels() == std::vector<float>{1000, 1001, 1002, 1003, 1008, 1100, 1101, 1102, 1103, 1108,
                                         1400, 1401, 1402, 1403, 1408});
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
}

TEST_CASE("a surface is bytes, whatever type reads them") {
  Floats f;
  CHECK(cudaMemcpyToArray(f.array, 0, 0, f.host, 60, kToDevice) == cudaSuccess);
  cudaSurfaceObject_t surface = 0;
  REQUIRE(make_surface(&surface, Parts(f.array)) == cudaSuccess);
  const auto byte = reinterpret_cast<unsigned char*>(f.device + 4);
  other_types<<<1, 1>>>(surface, reinterpret_cast<float4*>(f.device), byte);
  float four[4] = {};
  unsigned char one = 0;
  CHECK(cudaMemcpy(four, f.device, sizeof four, kToHost) == cudaSuccess);
  CHECK(cudaMemcpy(&one, byte, 1, kToHost) == cudaSuccess);
  CHECK(four[3] == 4);
  CHECK(one == 64);
  const auto texels = f.texels();
  CHECK(texels[6] == doctest::Approx(7.02441));
  CHECK(texels[12] == 7);
  CHECK(texels[13] == 8);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
}

TEST_CASE("layers of one array become slices of another") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  const cudaExtent extent = {4, 3, 2};
  cudaArray_t layers = nullptr, slices = nullptr;
  REQUIRE(cudaMalloc3DArray(&layers, &format, extent,
                            cudaArrayLayered | cudaArraySurfaceLoadStore) == cudaSuccess);
  REQUIRE(cudaMalloc3DArray(&slices, &format, extent, cudaArraySurfaceLoadStore) == cudaSuccess);
  std::vector<int> numbers(24), turned(24);
  for (int i = 0; i < 24; ++i) numbers[i] = i;
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(numbers.data(), 16, 4, 3);
  p.dstArray = layers;
  p.extent = extent;
  p.kind = kToDevice;
  REQUIRE(cudaMemcpy3D(&p) == cudaSuccess);
  cudaSurfaceObject_t from = 0, to = 0;
  REQUIRE(make_surface(&from, Parts(layers)) == cudaSuccess);
  REQUIRE(make_surface(&to, Parts(slices)) == cudaSuccess);
  turn_slices<<<1, dim3(4, 3, 2)>>>(from, to);
  cudaMemcpy3DParms back{};
  back.srcArray = slices;
  back.dstPtr = make_cudaPitchedPtr(turned.data(), 16, 4, 3);
  back.extent = extent;
  back.kind = kToHost;
  REQUIRE(cudaMemcpy3D(&back) == cudaSuccess);
  for (int i = 0; i < 24; ++i) CHECK(turned[i] == (i + 12) % 24);
  for (const cudaSurfaceObject_t surface : {from, to})
    CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaFreeArray(layers) == cudaSuccess);
  CHECK(cudaFreeArray(slices) == cudaSuccess);
}
