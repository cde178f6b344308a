/// @file
/// Reads textures of every shape and format at many coordinates. reads_record.cu prints a digest of
/// the results; reads_test.cu compares it with a device's.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "../device/record.hpp"

namespace reads {

using record::require;

/// An experiment's name, and a digest of the bits that it returned.
struct Digest {
  std::string name;
  std::uint64_t bits;
};

/// Returns a digest of results whose bytes fill 64-bit words.
template <class T>
std::uint64_t digest_of(const std::vector<T>& results) {
  std::vector<std::uint64_t> words(results.size() * sizeof(T) / sizeof(std::uint64_t));
  std::memcpy(words.data(), results.data(), words.size() * sizeof words[0]);
  return record::digest(words);
}

constexpr int kReads = 20000, kThreads = 128, kWidth = 33, kHeight = 20;
constexpr float kBorder = 7;
const cudaChannelFormatDesc kFloat = cudaCreateChannelDesc<float>();

/// The coordinates of one read.
struct Coordinates {
  float x, y, z;
  int layer;
  float lod;
};

class Source {
 public:
  explicit Source(unsigned seed) : random_(seed) {}

  std::uint32_t bits() { return random_(); }
  float between(float low, float high) {
    constexpr float kUnit = 1.0f / (1 << 24);
    return low + (high - low) * (static_cast<float>(bits() >> 8) * kUnit);
  }
  int below(int n) { return static_cast<int>(bits() % static_cast<unsigned>(n)); }

  /// Returns a coordinate in texels: anywhere, near an edge, near a centre, or far outside.
  float coordinate(int size) {
    constexpr float kSpecial[] = {std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity(),
                                  -std::numeric_limits<float>::infinity(),
                                  1e30f,
                                  -1e30f,
                                  1e9f,
                                  -3e9f,
                                  1e-30f,
                                  -1e-30f,
                                  -0.0f,
                                  8388607.5f};
    const float near = std::ldexp(between(-1, 1), -3 - below(20));
    const auto wide = static_cast<float>(size);
    switch (below(16)) {
      case 0:
        return kSpecial[below(static_cast<int>(std::size(kSpecial)))];
      case 1:
        return between(-4 * wide, 4 * wide);
      case 2:
      case 3:
      case 4:
        return static_cast<float>(below(size + 4) - 2) + near;
      case 5:
      case 6:
        return static_cast<float>(below(size + 4) - 2) + 0.5f + near;
      default:
        return between(-3, wide + 3);
    }
  }

 private:
  std::mt19937 random_;
};

inline std::vector<Coordinates> some_coordinates(int width, int height, int depth, bool normalized,
                                                 unsigned seed) {
  Source source(seed);
  const auto scaled = [&](int size) {
    const float texels = source.coordinate(size);
    return normalized ? texels / static_cast<float>(size) : texels;
  };
  std::vector<Coordinates> all(kReads);
  for (Coordinates& one : all) {
    one.x = scaled(width);
    one.y = scaled(height);
    one.z = scaled(depth);
    one.layer = source.below(12) - 3;
    one.lod = source.between(-1, 6);
  }
  return all;
}

template <class T>
class Array {
 public:
  explicit Array(std::size_t n) { require(cudaMalloc(&data_, n * sizeof(T))); }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    require(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

template <class T, class Read>
__global__ void read_all(Read read, cudaTextureObject_t texture, const Coordinates* at, T* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kReads) out[i] = read(texture, at[i]);
}

#define READER(name, call)                                                                       \
  template <class T>                                                                             \
  struct name {                                                                                  \
    __device__ T operator()(cudaTextureObject_t t, const Coordinates& at) const { return call; } \
  };
READER(Line, tex1D<T>(t, at.x))
READER(Plane, (tex2D<T>(t, at.x, at.y)))
READER(Space, (tex3D<T>(t, at.x, at.y, at.z)))
READER(Lines, (tex1DLayered<T>(t, at.x, at.layer)))
READER(Planes, (tex2DLayered<T>(t, at.x, at.y, at.layer)))
READER(Cube, (texCubemap<T>(t, at.x, at.y, at.z)))
READER(Cubes, (texCubemapLayered<T>(t, at.x, at.y, at.z, at.layer)))
READER(Levels, (tex2DLod<T>(t, at.x, at.y, at.lod)))
READER(Fetch, (tex1Dfetch<T>(t, static_cast<int>(at.x))))
#undef READER
template <class T, int channel>
struct Gather {
  __device__ T operator()(cudaTextureObject_t t, const Coordinates& at) const {
    return tex2Dgather<T>(t, at.x, at.y, channel);
  }
};

template <class T>
std::vector<T> some_texels(std::size_t n, unsigned seed) {
  Source source(seed);
  std::vector<T> texels(n);
  for (T& one : texels) {
    if constexpr (std::is_same_v<T, float>) {
      one = source.between(-2, 2);
    } else if constexpr (std::is_same_v<T, float4>) {
      one = make_float4(source.between(-2, 2), source.between(-2, 2), source.between(-2, 2),
                        source.between(-2, 2));
    } else if constexpr (std::is_same_v<T, __half>) {
      one = __float2half(source.between(-2, 2));
    } else {
      unsigned char bytes[sizeof(T)];
      for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(source.bits());
      std::memcpy(&one, bytes, sizeof one);
    }
  }
  return texels;
}

template <class T>
cudaArray_t make_array(cudaExtent extent, unsigned flags = 0,
                       cudaChannelFormatDesc format = cudaCreateChannelDesc<T>()) {
  const auto rows = extent.height ? extent.height : 1, slices = extent.depth ? extent.depth : 1;
  const std::vector<T> texels = some_texels<T>(extent.width * rows * slices, 11);
  cudaArray_t array = nullptr;
  require(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(texels.data()), extent.width * sizeof(T),
                                    extent.width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, rows, slices);
  copy.kind = cudaMemcpyHostToDevice;
  require(cudaMemcpy3D(&copy));
  return array;
}

inline cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

/// The settings of a texture.
struct Way {
  cudaTextureFilterMode filter;
  cudaTextureAddressMode address;
  bool normalized;
  cudaTextureReadMode mode = cudaReadModeElementType;
};

inline cudaTextureDesc sampling_of(const Way& way) {
  cudaTextureDesc sampling{};
  for (auto& address : sampling.addressMode) address = way.address;
  for (int i = 0; i < 4; ++i)
    sampling.borderColor[i] = way.mode == cudaReadModeNormalizedFloat ? 0.2f : kBorder * (i + 1);
  sampling.filterMode = way.filter;
  sampling.readMode = way.mode;
  sampling.normalizedCoords = way.normalized;
  return sampling;
}

inline std::string name_of(const std::string& what, const Way& way) {
  const char* const addresses[] = {"wrap", "clamp", "mirror", "border"};
  return what + (way.filter == cudaFilterModeLinear ? " linear " : " point ") +
         addresses[way.address] + (way.normalized ? " normalized" : "");
}

class Experiments {
 public:
  /// Prints each read of the experiment with this name.
  explicit Experiments(std::string printed) : printed_(std::move(printed)) {}

  std::vector<Digest> take() { return std::move(digests_); }

  template <class T, class Read>
  void read(const std::string& name, const cudaResourceDesc& resource,
            const cudaTextureDesc& sampling, const std::vector<Coordinates>& at, Read read) {
    cudaTextureObject_t texture = 0;
    require(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    const Array<Coordinates> device_at(at);
    const Array<T> out(at.size());
    read_all<T><<<(kReads + kThreads - 1) / kThreads, kThreads>>>(read, texture, device_at.get(),
                                                                  out.get());
    require(cudaDeviceSynchronize());
    std::vector<T> results(at.size());
    require(
        cudaMemcpy(results.data(), out.get(), results.size() * sizeof(T), cudaMemcpyDeviceToHost));
    if (name == printed_) print(at, results);
    digests_.push_back({name, digest_of(results)});
    require(cudaDestroyTextureObject(texture));
  }

  /// Reads with all settings that a device supports.
  template <class T, class Read>
  void read_in_all_ways(const std::string& what, const cudaResourceDesc& resource, int width,
                        int height, int depth, Read reader,
                        cudaTextureReadMode mode = cudaReadModeElementType, bool filters = true) {
    for (const bool normalized : {false, true}) {
      const auto at = some_coordinates(width, height, depth, normalized, normalized ? 3 : 5);
      for (int filter = 0; filter <= (filters ? 1 : 0); ++filter)
        for (int address = 0; address < 4; ++address) {
          const Way way = {static_cast<cudaTextureFilterMode>(filter),
                           static_cast<cudaTextureAddressMode>(address), normalized, mode};
          read<T>(name_of(what, way), resource, sampling_of(way), at, reader);
        }
    }
  }

 private:
  template <class T>
  static void print(const std::vector<Coordinates>& at, const std::vector<T>& results) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      std::printf("%a %a %a %d %a:", at[i].x, at[i].y, at[i].z, at[i].layer, at[i].lod);
      const auto bytes = reinterpret_cast<const unsigned char*>(&results[i]);
      for (std::size_t k = 0; k < sizeof(T); ++k) std::printf(k % 4 ? "%02x" : " %02x", bytes[k]);
      std::printf("\n");
    }
  }

  std::string printed_;
  std::vector<Digest> digests_;
};

inline void read_shapes(Experiments& all) {
  for (const int width : {64, 1000, 5000}) {
    const auto array = make_array<float>({static_cast<std::size_t>(width), 0, 0});
    all.read_in_all_ways<float>("tex1D " + std::to_string(width), resource_of(array), width, 1, 1,
                                Line<float>());
    require(cudaFreeArray(array));
  }
  const auto plane = make_array<float>({kWidth, kHeight, 0});
  all.read_in_all_ways<float>("tex2D", resource_of(plane), kWidth, kHeight, 1, Plane<float>());
  const auto space = make_array<float>({9, 7, 5});
  all.read_in_all_ways<float>("tex3D", resource_of(space), 9, 7, 5, Space<float>());
  const auto lines = make_array<float>({16, 0, 5}, cudaArrayLayered);
  all.read_in_all_ways<float>("tex1DLayered", resource_of(lines), 16, 1, 1, Lines<float>());
  const auto planes = make_array<float>({16, 8, 5}, cudaArrayLayered);
  all.read_in_all_ways<float>("tex2DLayered", resource_of(planes), 16, 8, 1, Planes<float>());
  const auto four = make_array<float4>({kWidth, kHeight, 0}, cudaArrayTextureGather);
  all.read_in_all_ways<float4>("tex2Dgather", resource_of(four), kWidth, kHeight, 1,
                               Gather<float4, 1>(), cudaReadModeElementType, false);
  for (const auto array : {plane, space, lines, planes, four}) require(cudaFreeArray(array));
}

inline void read_formats(Experiments& all) {
  const cudaExtent extent = {kWidth, kHeight, 0};
  const auto fractions = cudaReadModeNormalizedFloat;
  const auto bytes = make_array<uchar4>(extent);
  all.read_in_all_ways<float4>("uchar4 as fractions", resource_of(bytes), kWidth, kHeight, 1,
                               Plane<float4>(), fractions);
  all.read_in_all_ways<uchar4>("uchar4", resource_of(bytes), kWidth, kHeight, 1, Plane<uchar4>(),
                               cudaReadModeElementType, false);
  const Way plain = {cudaFilterModePoint, cudaAddressModeClamp, false, fractions};
  cudaTextureDesc srgb = sampling_of(plain);
  srgb.sRGB = 1;
  all.read<float4>(name_of("sRGB", plain), resource_of(bytes), srgb,
                   some_coordinates(kWidth, kHeight, 1, false, 5), Plane<float4>());
  const auto shorts = make_array<short2>(extent);
  all.read_in_all_ways<float2>("short2 as fractions", resource_of(shorts), kWidth, kHeight, 1,
                               Plane<float2>(), fractions);
  const auto words = make_array<unsigned short>(extent);
  all.read_in_all_ways<float>("unsigned short as fractions", resource_of(words), kWidth, kHeight, 1,
                              Plane<float>(), fractions);
  all.read_in_all_ways<unsigned short>("unsigned short", resource_of(words), kWidth, kHeight, 1,
                                       Plane<unsigned short>(), cudaReadModeElementType, false);
  const auto small = make_array<signed char>(extent);
  all.read_in_all_ways<float>("signed char as fractions", resource_of(small), kWidth, kHeight, 1,
                              Plane<float>(), fractions, false);
  all.read_in_all_ways<signed char>("signed char", resource_of(small), kWidth, kHeight, 1,
                                    Plane<signed char>(), cudaReadModeElementType, false);
  const auto integers = make_array<int>(extent);
  all.read_in_all_ways<int>("int", resource_of(integers), kWidth, kHeight, 1, Plane<int>(),
                            cudaReadModeElementType, false);
  // Channels missing in the format, and types that differ from the format's.
  all.read_in_all_ways<int4>("int as int4", resource_of(integers), kWidth, kHeight, 1,
                             Plane<int4>(), cudaReadModeElementType, false);
  all.read_in_all_ways<unsigned char>("int as unsigned char", resource_of(integers), kWidth,
                                      kHeight, 1, Plane<unsigned char>(), cudaReadModeElementType,
                                      false);
  const auto floats = make_array<float>(extent);
  all.read_in_all_ways<float4>("float as float4", resource_of(floats), kWidth, kHeight, 1,
                               Plane<float4>());
  all.read_in_all_ways<int>("float as int", resource_of(floats), kWidth, kHeight, 1, Plane<int>(),
                            cudaReadModeElementType, false);
  for (const auto array : {bytes, shorts, words, small, integers, floats})
    require(cudaFreeArray(array));
  // Random bits as floats: NaN, infinities and denormals.
  const auto any = make_array<unsigned>(extent, cudaArrayTextureGather, kFloat);
  all.read_in_all_ways<unsigned>("any bits as float", resource_of(any), kWidth, kHeight, 1,
                                 Plane<unsigned>(), cudaReadModeElementType, false);
  all.read_in_all_ways<float>("any float", resource_of(any), kWidth, kHeight, 1, Plane<float>());
  all.read_in_all_ways<float4>("any float, tex2Dgather", resource_of(any), kWidth, kHeight, 1,
                               Gather<float4, 0>(), cudaReadModeElementType, false);
  require(cudaFreeArray(any));
  // Halves: no type corresponds to their format.
  const std::vector<__half> halves = some_texels<__half>(kWidth * kHeight, 13);
  const cudaChannelFormatDesc format = cudaCreateChannelDescHalf();
  cudaArray_t array = nullptr;
  require(cudaMallocArray(&array, &format, kWidth, kHeight));
  require(cudaMemcpy2DToArray(array, 0, 0, halves.data(), kWidth * sizeof(__half),
                              kWidth * sizeof(__half), kHeight, cudaMemcpyHostToDevice));
  all.read_in_all_ways<float>("half", resource_of(array), kWidth, kHeight, 1, Plane<float>());
  require(cudaFreeArray(array));
}

inline void read_cube(Experiments& all) {
  const auto array = make_array<float>({4, 4, 6}, cudaArrayCubemap);
  Source source(17);
  std::vector<Coordinates> at(kReads);
  for (Coordinates& one : at) {
    const bool is_even = source.below(9) == 0;
    float* const parts[] = {&one.x, &one.y, &one.z};
    for (float* part : parts)
      *part = is_even ? static_cast<float>(source.below(5) - 2) : source.between(-1, 1);
  }
  const Way way = {cudaFilterModePoint, cudaAddressModeClamp, true};
  all.read<float>(name_of("texCubemap", way), resource_of(array), sampling_of(way), at,
                  Cube<float>());
  require(cudaFreeArray(array));
  for (Coordinates& one : at) one.layer = source.below(6) - 1;
  const auto layers = make_array<float>({4, 4, 18}, cudaArrayCubemap | cudaArrayLayered);
  all.read<float>(name_of("texCubemapLayered", way), resource_of(layers), sampling_of(way), at,
                  Cubes<float>());
  require(cudaFreeArray(layers));
}

inline void read_levels(Experiments& all) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  constexpr int kMipWidth = 16, kMipHeight = 8;
  constexpr unsigned kLevels = 5;
  cudaMipmappedArray_t array = nullptr;
  require(cudaMallocMipmappedArray(&array, &format, {kMipWidth, kMipHeight, 0}, kLevels));
  for (unsigned i = 0; i < kLevels; ++i) {
    cudaArray_t level = nullptr;
    cudaExtent extent{};
    require(cudaGetMipmappedArrayLevel(&level, array, i));
    require(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
    const auto texels = some_texels<float>(extent.width * extent.height, 19 + i);
    require(cudaMemcpy2DToArray(level, 0, 0, texels.data(), extent.width * sizeof(float),
                                extent.width * sizeof(float), extent.height,
                                cudaMemcpyHostToDevice));
  }
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  const auto at = some_coordinates(kMipWidth, kMipHeight, 1, true, 23);
  for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear})
    for (const auto between : {cudaFilterModePoint, cudaFilterModeLinear})
      for (const bool narrow : {false, true}) {
        const Way way = {filter, cudaAddressModeWrap, true};
        cudaTextureDesc sampling = sampling_of(way);
        sampling.mipmapFilterMode = between;
        sampling.minMipmapLevelClamp = narrow ? 0.3f : 0.0f;
        sampling.maxMipmapLevelClamp = narrow ? 2.75f : 4.0f;
        sampling.mipmapLevelBias = narrow ? 0.4f : 0.0f;
        const std::string name = name_of("levels", way) +
                                 (between == cudaFilterModeLinear ? " between" : " nearest") +
                                 (narrow ? " bias" : "");
        all.read<float>(name, resource, sampling, at, Levels<float>());
        all.read<float>(name + " first", resource, sampling, at, Plane<float>());
      }
  require(cudaFreeMipmappedArray(array));
}

inline void read_linear_memory(Experiments& all) {
  std::vector<Coordinates> at(kReads);
  Source source(29);
  for (Coordinates& one : at) one.x = static_cast<float>(source.below(900) - 50);
  constexpr std::size_t kTexels = 600;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  cudaTextureDesc sampling{};
  const Array<float> floats(some_texels<float>(2 * kTexels, 31));
  resource.res.linear.devPtr = floats.get();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = kTexels * sizeof(float) + 3;
  all.read<float>("tex1Dfetch", resource, sampling, at, Fetch<float>());
  const Array<uchar4> bytes(some_texels<uchar4>(2 * kTexels, 37));
  resource.res.linear.devPtr = bytes.get();
  resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.linear.sizeInBytes = kTexels * sizeof(uchar4);
  all.read<uchar4>("tex1Dfetch uchar4", resource, sampling, at, Fetch<uchar4>());
  sampling.readMode = cudaReadModeNormalizedFloat;
  all.read<float4>("tex1Dfetch uchar4 as fractions", resource, sampling, at, Fetch<float4>());

  const auto texels = some_texels<float>(kWidth * kHeight, 41);
  float* pitched = nullptr;
  std::size_t pitch = 0;
  require(cudaMallocPitch(&pitched, &pitch, kWidth * sizeof(float), kHeight));
  require(cudaMemcpy2D(pitched, pitch, texels.data(), kWidth * sizeof(float),
                       kWidth * sizeof(float), kHeight, cudaMemcpyHostToDevice));
  cudaResourceDesc plane{};
  plane.resType = cudaResourceTypePitch2D;
  plane.res.pitch2D.devPtr = pitched;
  plane.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  plane.res.pitch2D.width = kWidth;
  plane.res.pitch2D.height = kHeight;
  plane.res.pitch2D.pitchInBytes = pitch;
  all.read_in_all_ways<float>("rows of linear memory", plane, kWidth, kHeight, 1, Plane<float>());
  require(cudaFree(pitched));
}

inline std::vector<Digest> run(const std::string& printed = {}) {
  Experiments all(printed);
  read_shapes(all);
  read_formats(all);
  read_cube(all);
  read_levels(all);
  read_linear_memory(all);
  return all.take();
}

}  // namespace reads
