// Reads of textures, with the bits of an H200: tests/emulator/texture/reads_h200.txt records its
// answers.
#include "emulator/device_textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "cuda_fp16.h"
#include "device/texture.hpp"
#include "emulator/device.h"
#include "engine/check/check_init.hpp"
#include "engine/engine.hpp"

namespace emu {
namespace {

// Handles.

/// Textures, indexed by handle minus 1. Kernels read this table without a lock.
constexpr std::size_t kMostTextures = std::size_t{1} << 20;
std::array<std::atomic<const Texture*>, kMostTextures> textures;
std::mutex changing;
std::size_t never_used = 0;  // first index that was never used
std::vector<std::size_t> free_again;

const Texture& texture_or_fail(unsigned long long handle, const char* what, const void* call_site) {
  if (!in_kernel()) unsupported(what);
  const Texture* const texture = texture_at(handle);
  if (texture == nullptr)
    fail_kernel(cudaErrorIllegalAddress,
                fmt::format("there is no texture or surface {:#x}: none was made with this handle, "
                            "or it is destroyed",
                            handle),
                call_site);
  return *texture;
}

// Coordinates.

constexpr int kWeightBits = 8;                   // bits of a filter's weight
constexpr std::int64_t kOne = 1 << kWeightBits;  // the weight of a texel that is hit exactly
constexpr int kCoordinateBits = 21;  // binary digits of a normalized coordinate behind the point

/// The position of a coordinate between the centres of two texels, in 256ths of their distance.
struct Between {
  std::int64_t first;
  int part;
};

bool repeats(cudaTextureAddressMode mode, bool normalized) {
  return normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror);
}

/// Returns a normalized coordinate in units of 2^-21. Repeating coordinates are reduced to the
/// first period.
std::int64_t fixed_point(float coordinate, cudaTextureAddressMode mode) {
  constexpr double kMost = 4;
  if (std::isnan(coordinate)) return 0;
  if (!repeats(mode, true)) {
    const double bounded = std::clamp(static_cast<double>(coordinate), -kMost, kMost);
    return static_cast<std::int64_t>(std::floor(std::ldexp(bounded, kCoordinateBits)));
  }
  if (std::isinf(coordinate)) return 0;
  const double period = std::ldexp(mode == cudaAddressModeWrap ? 1 : 2, kCoordinateBits);
  const double whole = std::floor(std::ldexp(static_cast<double>(coordinate), kCoordinateBits));
  const auto rest = static_cast<std::int64_t>(std::fmod(whole, period));
  return rest < 0 ? rest + static_cast<std::int64_t>(period) : rest;
}

/// Returns a coordinate in texels, limited to what a texture can have.
double in_texels(float coordinate) {
  constexpr double kMost = 1 << 28;
  return std::isnan(coordinate) ? 0 : std::clamp(static_cast<double>(coordinate), -kMost, kMost);
}

/// Returns the texel that contains the coordinate.
std::int64_t texel_at(float coordinate, std::int64_t size, cudaTextureAddressMode mode,
                      bool normalized) {
  return normalized ? fixed_point(coordinate, mode) * size >> kCoordinateBits
                    : static_cast<std::int64_t>(std::floor(in_texels(coordinate)));
}

Between between_texels(float coordinate, std::int64_t size, cudaTextureAddressMode mode,
                       bool normalized) {
  constexpr std::int64_t kHalf = std::int64_t{1} << (kCoordinateBits - 1);
  const std::int64_t in_parts =
      normalized ? (fixed_point(coordinate, mode) * size * kOne + kHalf) >> kCoordinateBits
                 : static_cast<std::int64_t>(std::floor(in_texels(coordinate) * kOne + 0.5));
  const std::int64_t from_centre = in_parts - kOne / 2;
  return {from_centre >> kWeightBits, static_cast<int>(from_centre & (kOne - 1))};
}

/// Returns the index of the texel to read; nothing for the border and for a texture without texels.
std::optional<std::int64_t> index_of(std::int64_t texel, std::int64_t size,
                                     cudaTextureAddressMode mode, bool normalized) {
  if (texel >= 0 && texel < size) return texel;
  if (mode == cudaAddressModeBorder || size == 0) return std::nullopt;
  if (!repeats(mode, normalized)) return std::clamp<std::int64_t>(texel, 0, size - 1);
  const std::int64_t period = mode == cudaAddressModeWrap ? size : 2 * size;
  const std::int64_t rest = (texel % period + period) % period;
  return rest < size ? rest : period - 1 - rest;
}

// Texels.

/// A texel; null for the border.
using Address = const char*;

template <class Integer>
Integer read_as(const char* address) {
  Integer value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

/// Returns the bits of a channel, extended to 32; 0 if the format does not have the channel.
std::uint32_t channel_bits(const TexelFormat& format, Address texel, unsigned channel) {
  constexpr unsigned kByte = 8, kTwoBytes = 16;
  if (channel >= format.channels) return 0;
  const char* const address = texel + channel * (format.bits / kByte);
  const bool is_signed = format.type == ChannelType::signed_integer;
  if (format.bits == kByte)
    return is_signed ? static_cast<std::uint32_t>(read_as<std::int8_t>(address))
                     : read_as<std::uint8_t>(address);
  if (format.bits == kTwoBytes)
    return is_signed ? static_cast<std::uint32_t>(read_as<std::int16_t>(address))
                     : read_as<std::uint16_t>(address);
  return read_as<std::uint32_t>(address);
}

/// The values of an 8-bit sRGB channel in 16384ths, with an H200's rounding.
constexpr std::array<std::uint16_t, 256> kFromSrgb = {
    0,     5,     10,    15,    20,    25,    30,    35,    40,    45,    50,    55,    60,
    66,    72,    78,    85,    92,    99,    107,   115,   123,   131,   140,   150,   159,
    169,   180,   190,   201,   213,   224,   236,   250,   262,   276,   290,   304,   318,
    332,   348,   364,   380,   396,   412,   430,   448,   466,   484,   504,   524,   544,
    564,   584,   604,   624,   648,   672,   692,   716,   740,   764,   788,   816,   840,
    864,   896,   920,   944,   976,   1000,  1032,  1064,  1088,  1120,  1152,  1184,  1216,
    1248,  1280,  1312,  1352,  1384,  1416,  1456,  1488,  1528,  1560,  1600,  1640,  1672,
    1712,  1752,  1792,  1832,  1872,  1920,  1952,  2000,  2048,  2080,  2128,  2176,  2224,
    2272,  2320,  2368,  2416,  2464,  2512,  2560,  2608,  2656,  2704,  2752,  2816,  2864,
    2912,  2976,  3024,  3072,  3136,  3184,  3248,  3296,  3360,  3424,  3472,  3536,  3600,
    3664,  3712,  3776,  3840,  3904,  3968,  4032,  4096,  4160,  4224,  4288,  4352,  4416,
    4512,  4576,  4640,  4704,  4768,  4864,  4928,  4992,  5056,  5152,  5216,  5280,  5376,
    5440,  5536,  5600,  5696,  5760,  5824,  5920,  6016,  6080,  6176,  6240,  6336,  6400,
    6496,  6592,  6688,  6752,  6848,  6944,  7008,  7104,  7200,  7296,  7392,  7488,  7584,
    7680,  7744,  7872,  7936,  8064,  8128,  8256,  8320,  8448,  8512,  8640,  8768,  8832,
    8960,  9024,  9152,  9280,  9344,  9472,  9600,  9664,  9792,  9920,  9984,  10112, 10240,
    10304, 10432, 10560, 10688, 10816, 10880, 11008, 11136, 11264, 11392, 11456, 11584, 11712,
    11840, 11968, 12096, 12224, 12352, 12480, 12608, 12736, 12864, 12992, 13120, 13248, 13376,
    13504, 13632, 13760, 13888, 14016, 14144, 14272, 14400, 14528, 14656, 14848, 14976, 15104,
    15232, 15360, 15488, 15616, 15744, 16000, 16128, 16256, 16384};
constexpr float kSrgbOne = 16384;

float from_half(std::uint32_t bits) {
  return detail::float_of(detail::of_word<__half>(static_cast<detail::HalfWord>(bits)));
}

enum class Arithmetic : std::uint8_t { single, half, normalized };

bool is_srgb(const Texture& texture, unsigned channel) {
  constexpr unsigned kColours = 3;
  return texture.sampling.sRGB != 0 && texture.is_normalized() && texture.format.bits == 8 &&
         channel < kColours;
}

/// Returns the arithmetic of a filter: on numbers of 32 or 16 bits, or on fractions of 65535 or
/// 32767.
Arithmetic arithmetic_of(const Texture& texture, unsigned channel) {
  if (is_srgb(texture, channel)) return Arithmetic::half;
  if (texture.is_normalized()) return Arithmetic::normalized;
  return texture.format.bits == 16 ? Arithmetic::half : Arithmetic::single;
}

float most_of(const Texture& texture) {
  return texture.format.type == ChannelType::signed_integer ? 32767.0f : 65535.0f;
}

/// Returns a normalized channel as a filter uses it: eight bits are repeated to fill sixteen.
int sixteen_bits(const TexelFormat& format, std::uint32_t bits) {
  constexpr int kRepeated = 257, kRepeatedSigned = 258, kUpperHalf = 64;
  const int value = static_cast<int>(bits);
  if (format.bits == 16) return value;
  if (format.type == ChannelType::unsigned_integer) return kRepeated * value;
  return kRepeatedSigned * value + (value >= kUpperHalf) - (value < -kUpperHalf);
}

float most_in(const TexelFormat& format) {
  const bool is_signed = format.type == ChannelType::signed_integer;
  return static_cast<float>((1 << (format.bits - is_signed)) - 1);
}

/// Returns the bits of a channel, extended to 32. The border's are in the texture's format.
std::uint32_t bits_of(const Texture& texture, Address texel, unsigned channel) {
  const TexelFormat& format = texture.format;
  if (texel != nullptr) return channel_bits(format, texel, channel);
  const float border = texture.sampling.borderColor[channel];
  if (texture.is_normalized()) {
    const float least = format.type == ChannelType::signed_integer ? -1.0f : 0.0f;
    const float bounded = std::clamp(border, least, 1.0f);
    return static_cast<std::uint32_t>(
        static_cast<std::int32_t>(std::floor(bounded * most_in(format) + 0.5f)));
  }
  if (format.type == ChannelType::real) return std::bit_cast<std::uint32_t>(border);
  // The border of an integer texture is the lower bits of the float.
  const auto bytes = std::bit_cast<std::array<char, sizeof border>>(border);
  return channel_bits({format.type, format.bits, 1}, bytes.data(), 0);
}

/// Returns whether the bits are those of a half; the border's are those of a float, though the
/// format has halves.
bool is_half(const Texture& texture, Address texel) {
  return texture.format.type == ChannelType::real && texture.format.bits == 16 && texel != nullptr;
}

/// Returns a channel as a filter uses it.
double filtered_channel(const Texture& texture, Address texel, unsigned channel) {
  const std::uint32_t bits = bits_of(texture, texel, channel);
  if (is_srgb(texture, channel)) return kFromSrgb[bits] / kSrgbOne;
  if (texture.is_normalized()) return sixteen_bits(texture.format, bits);
  return is_half(texture, texel) ? from_half(bits) : std::bit_cast<float>(bits);
}

/// Returns a channel of an unfiltered texel as 32 bits.
std::uint32_t plain_channel(const Texture& texture, Address texel, unsigned channel) {
  const std::uint32_t bits = bits_of(texture, texel, channel);
  if (channel >= texture.format.channels) return 0;
  if (is_srgb(texture, channel)) return std::bit_cast<std::uint32_t>(kFromSrgb[bits] / kSrgbOne);
  if (texture.is_normalized()) {
    const float value = texture.format.type == ChannelType::signed_integer
                            ? static_cast<float>(static_cast<std::int32_t>(bits))
                            : static_cast<float>(bits);
    return std::bit_cast<std::uint32_t>(std::max(value / most_in(texture.format), -1.0f));
  }
  return is_half(texture, texel) ? std::bit_cast<std::uint32_t>(from_half(bits)) : bits;
}

/// Returns a float as the filter unit outputs it: with one NaN, and zero for very small numbers.
std::uint32_t handed_on(float value) {
  constexpr std::uint32_t kNan = 0x7fffffff, kSign = 0x80000000;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return kNan;
  return std::fpclassify(value) == FP_SUBNORMAL ? bits & kSign : bits;
}

// Filters.

/// A texel that a filter reads, and its weight in 256ths.
struct Tap {
  Address texel;
  int weight;
};

/// The taps of a filter: up to eight texels in each of two levels.
struct Taps {
  std::array<Tap, 16> taps;
  unsigned count = 0;

  void add(Address texel, std::int64_t weight) {
    taps[count++] = {texel, static_cast<int>(weight)};
  }
  std::span<const Tap> all() const { return {taps.data(), count}; }
};

/// A sum of products of a float and a weight, exact to the precision of two doubles.
struct Sum {
  double value = 0, rest = 0;

  void add(double term) {
    const double sum = value + term, added = sum - value;
    rest += (value - (sum - added)) + (term - added);
    value = sum;
  }
};

/// Rounds to a number with `digits` binary digits and none below 2^lowest; halves are rounded away
/// from zero.
double rounded_half_away(const Sum& sum, int digits, int lowest) {
  const double value = sum.value + sum.rest;
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  const int unit = std::max(exponent - digits, lowest);
  const double units = std::ldexp(sum.value, -unit);
  const double below = std::floor(std::fabs(units));
  double beyond = std::fabs(units) - below - 0.5;  // exact up to `rest`
  beyond += std::copysign(1.0, sum.value) * std::ldexp(sum.rest, -unit);
  return std::copysign(std::ldexp(below + (beyond >= 0 ? 1 : 0), unit), sum.value);
}

/// Returns a number as a filter adds it to a larger one: truncated behind `digits` binary digits of
/// the largest.
double cut_off(double value, double largest, int digits) {
  int exponent = 0;
  (void)std::frexp(largest, &exponent);
  return std::ldexp(std::trunc(std::ldexp(value, digits - exponent)), exponent - digits);
}

float filtered(const Texture& texture, std::span<const Tap> taps, unsigned channel) {
  const Arithmetic arithmetic = arithmetic_of(texture, channel);
  std::array<double, std::tuple_size_v<decltype(Taps::taps)>> values{};
  double largest = 0;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    values[i] = filtered_channel(texture, taps[i].texel, channel);
    if (taps[i].weight != 0) largest = std::max(largest, std::fabs(values[i]));
  }
  constexpr int kHalfDigits = 11, kHalfLowest = -24, kDigits = 24, kLowest = -149, kMore = 4;
  const bool has_halves = arithmetic == Arithmetic::half;
  const int digits = has_halves ? kHalfDigits : kDigits;
  const bool is_cut = arithmetic != Arithmetic::normalized && std::isfinite(largest) && largest > 0;
  Sum sum;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    const double value = is_cut ? cut_off(values[i], largest, digits + kMore) : values[i];
    sum.add(value * taps[i].weight / kOne);
  }
  if (arithmetic == Arithmetic::normalized)
    return std::max(static_cast<float>(std::floor(sum.value + 0.5)) / most_of(texture), -1.0f);
  if (std::isnan(sum.rest)) return static_cast<float>(sum.value);  // infinities
  return static_cast<float>(rounded_half_away(sum, digits, has_halves ? kHalfLowest : kLowest));
}

// Reads.

/// Returns the weights of four neighbours that sum up to `whole`, in 256ths; x varies first.
std::array<std::int64_t, 4> weights_of_four(std::int64_t x, std::int64_t y, std::int64_t whole) {
  constexpr std::int64_t kHalf = kOne / 2;
  const std::int64_t right = (x * whole + kHalf) >> kWeightBits;
  const std::int64_t right_below = (right * y + kHalf) >> kWeightBits;
  const std::int64_t left_below = ((whole - right) * y + kHalf - 1) >> kWeightBits;
  return {whole - right - left_below, right - right_below, left_below, right_below};
}

/// A position in a level: coordinates, and a slice, which is a layer or a face.
struct Place {
  float x, y, z;
  std::int64_t slice;
  bool has_y, has_z;
};

class Level {
 public:
  Level(const Texture& texture, const Texels& texels) : texture_(texture), texels_(texels) {}

  /// Adds the texels that contain the position or surround it, with weights that sum up to `whole`.
  void add_taps(Taps& taps, const Place& place, std::int64_t whole) const {
    if (!texture_.is_linear()) {
      taps.add(at(texel(0, place.x), place.has_y ? texel(1, place.y) : 0,
                  place.has_z ? texel(2, place.z) : 0, place),
               whole);
      return;
    }
    const Between x = filtered_between(0, place.x);
    const Between y = place.has_y ? filtered_between(1, place.y) : Between{0, 0};
    const Between z = place.has_z ? filtered_between(2, place.z) : Between{0, 0};
    const std::int64_t behind = (whole * z.part + kOne / 2) >> kWeightBits;
    add_four(taps, x, y, z.first, place, whole - behind);
    if (behind != 0) add_four(taps, x, y, z.first + 1, place, behind);
  }

  Address at(std::int64_t x, std::int64_t y, std::int64_t z, const Place& place) const {
    const auto column = index(0, x);
    const auto row = place.has_y ? index(1, y) : 0;
    const auto slice = place.has_z ? index(2, z) : place.slice;
    // An array that is not a cube does not have six faces.
    if (!column || !row || !slice || *slice >= texels_.depth) return nullptr;
    return texels_.begin + *slice * texels_.slice + *row * texels_.pitch +
           *column * texture_.format.bytes();
  }

  Between between(int dimension, float coordinate) const {
    return between_texels(coordinate, size(dimension), mode(dimension), is_normalized());
  }

 private:
  void add_four(Taps& taps, const Between& x, const Between& y, std::int64_t z, const Place& place,
                std::int64_t whole) const {
    const auto weights = weights_of_four(x.part, y.part, whole);
    for (unsigned i = 0; i < weights.size(); ++i) {
      // A NaN contributes even if its weight is rounded to 0.
      const bool is_between = (i % 2 == 0 || x.part != 0) && (i / 2 == 0 || y.part != 0);
      if (is_between) taps.add(at(x.first + i % 2, y.first + i / 2, z, place), weights[i]);
    }
  }

  /// Returns the position between filtered texels for a coordinate that is clamped first, which
  /// affects the rounding of weights.
  Between filtered_between(int dimension, float coordinate) const {
    const Between place = between(dimension, coordinate);
    const bool is_clamped =
        mode(dimension) != cudaAddressModeBorder && !repeats(mode(dimension), is_normalized());
    if (!is_clamped) return place;
    if (place.first < 0) return {0, 0};
    return place.first >= size(dimension) - 1 ? Between{size(dimension) - 1, 0} : place;
  }

  std::int64_t size(int dimension) const {
    return dimension == 0 ? texels_.width : dimension == 1 ? texels_.height : texels_.depth;
  }
  cudaTextureAddressMode mode(int dimension) const {
    return texture_.is_cube ? cudaAddressModeClamp : texture_.sampling.addressMode[dimension];
  }
  bool is_normalized() const { return texture_.is_cube || texture_.sampling.normalizedCoords != 0; }
  std::int64_t texel(int dimension, float coordinate) const {
    return texel_at(coordinate, size(dimension), mode(dimension), is_normalized());
  }
  std::optional<std::int64_t> index(int dimension, std::int64_t texel) const {
    return index_of(texel, size(dimension), mode(dimension), is_normalized());
  }

  const Texture& texture_;
  const Texels& texels_;
};

constexpr std::int64_t kFaces = 6;

/// Returns the position on the cube's face to which a direction points. Of equal components, z
/// takes precedence over y, and y over x.
Place place_on_cube(float x, float y, float z, std::int64_t layer) {
  const float along_x = std::fabs(x), along_y = std::fabs(y), along_z = std::fabs(z);
  std::int64_t face = 0;
  float right = 0, down = 0, forward = 0;
  if (along_z >= along_x && along_z >= along_y) {
    const bool is_back = std::signbit(z) && z != 0;
    face = is_back ? 5 : 4, right = is_back ? -x : x, down = -y, forward = along_z;
  } else if (along_y >= along_x) {
    face = y >= 0 ? 2 : 3, right = x, down = y >= 0 ? z : -z, forward = along_y;
  } else {
    face = x >= 0 ? 0 : 1, right = x >= 0 ? -z : z, down = -y, forward = along_x;
  }
  const auto from_edge = [&](float from_centre) {
    return forward == 0 ? 0.5f : (from_centre / forward + 1) / 2;
  };
  return {from_edge(right), from_edge(down), 0, kFaces * layer + face, true, false};
}

Place place_of(const Texture& texture, const TextureRead& read) {
  const bool is_cube = read.shape == TextureShape::cube || read.shape == TextureShape::cubes;
  const std::int64_t slices = texture.levels.front().depth / (is_cube ? kFaces : 1);
  // Negative layers count as large ones.
  const std::int64_t layer = std::min<std::int64_t>(static_cast<unsigned>(read.layer),
                                                    std::max<std::int64_t>(slices - 1, 0));
  if (is_cube) return place_on_cube(read.x, read.y, read.z, layer);
  const bool has_z = read.shape == TextureShape::space;
  // A 1D texture lies on the upper edge of a single row, beside the border.
  const bool has_y = read.shape != TextureShape::lines;
  return {read.x, read.y, read.z, layer, has_y, has_z};
}

/// Returns the level to read, in 256ths. It is computed exactly from the gradients; a device
/// estimates it.
std::int64_t level_of(const Texture& texture, const TextureRead& read) {
  const auto in_parts = [](double level) {
    constexpr double kMost = 1000;
    return static_cast<std::int64_t>(std::clamp(level, -kMost, kMost) * kOne);
  };
  const cudaTextureDesc& sampling = texture.sampling;
  double level = 0;
  if (read.level == TextureRead::Level::given) level = std::isnan(read.lod) ? 0 : read.lod;
  if (read.level == TextureRead::Level::by_gradients) {
    const Texels& whole = texture.levels.front();
    const bool in_texels = sampling.normalizedCoords == 0;
    const auto length = [&](const float(&change)[3]) {
      return std::hypot(change[0] * (in_texels ? 1.0 : static_cast<double>(whole.width)),
                        change[1] * (in_texels ? 1.0 : static_cast<double>(whole.height)),
                        change[2] * (in_texels ? 1.0 : static_cast<double>(whole.depth)));
    };
    level = std::log2(std::max(length(read.along_x), length(read.along_y)));
    if (std::isnan(level)) level = 0;
  }
  std::int64_t parts = in_parts(level);
  if (read.level != TextureRead::Level::first) parts += in_parts(sampling.mipmapLevelBias);
  const auto last = static_cast<std::int64_t>(texture.levels.size() - 1) * kOne;
  const std::int64_t low = in_parts(sampling.minMipmapLevelClamp);
  const std::int64_t high = std::max(in_parts(sampling.maxMipmapLevelClamp), low);
  return std::clamp<std::int64_t>(std::clamp(parts, low, high), 0, last);
}

Texel texel_of(const Texture& texture, const Taps& taps) {
  Texel texel{};
  const bool is_filtered = texture.is_linear() || taps.count > 1;
  for (unsigned channel = 0; channel < std::size(texel.channel); ++channel) {
    if (channel >= texture.format.channels) continue;
    texel.channel[channel] = is_filtered ? handed_on(filtered(texture, taps.all(), channel))
                                         : plain_channel(texture, taps.taps[0].texel, channel);
  }
  return texel;
}

}  // namespace

unsigned long long add_texture(Texture texture) {
  const std::lock_guard lock(changing);
  std::size_t at = 0;
  if (!free_again.empty()) {
    at = free_again.back();
    free_again.pop_back();
  } else if (never_used < kMostTextures) {
    at = never_used++;
  } else {
    return 0;
  }
  textures[at].store(new Texture(std::move(texture)), std::memory_order_release);
  return at + 1;
}

bool remove_texture(unsigned long long handle) {
  const std::lock_guard lock(changing);
  if (handle == 0 || handle > never_used) return false;
  const Texture* const texture = textures[handle - 1].exchange(nullptr);
  if (texture == nullptr) return false;
  delete texture;
  free_again.push_back(handle - 1);
  return true;
}

void remove_textures() noexcept {
  const std::lock_guard lock(changing);
  for (std::size_t at = 0; at < never_used; ++at) delete textures[at].exchange(nullptr);
  free_again.clear();
  never_used = 0;
}

const Texture* texture_at(unsigned long long handle) noexcept {
  if (handle == 0 || handle > kMostTextures) return nullptr;
  return textures[handle - 1].load(std::memory_order_acquire);
}

Texel read_texture(cudaTextureObject_t handle, const TextureRead& read) {
  const Texture& texture =
      texture_or_fail(handle, "a read of a texture in host code", __builtin_return_address(0));
  const Place place = place_of(texture, read);
  const std::int64_t level = level_of(texture, read);
  Taps taps;
  const auto add = [&](std::int64_t number, std::int64_t whole) {
    Level(texture, texture.levels[static_cast<std::size_t>(number)]).add_taps(taps, place, whole);
  };
  if (texture.sampling.mipmapFilterMode == cudaFilterModeLinear) {
    const std::int64_t coarser = level & (kOne - 1);
    add(level >> kWeightBits, kOne - coarser);
    if (coarser != 0) add((level >> kWeightBits) + 1, coarser);
  } else {
    add((level + kOne / 2) >> kWeightBits, kOne);
  }
  return texel_of(texture, taps);
}

Texel fetch_texel(cudaTextureObject_t handle, int index) {
  const Texture& texture =
      texture_or_fail(handle, "a read of a texture in host code", __builtin_return_address(0));
  const Texels& texels = texture.levels.front();
  if (index < 0 || index >= texels.width) return {};
  Texel texel{};
  const Address at = texels.begin + static_cast<std::size_t>(index) * texture.format.bytes();
  for (unsigned channel = 0; channel < texture.format.channels; ++channel)
    texel.channel[channel] = plain_channel(texture, at, channel);
  return texel;
}

Texel gather_texels(cudaTextureObject_t handle, float x, float y, int channel) {
  const Texture& texture =
      texture_or_fail(handle, "a read of a texture in host code", __builtin_return_address(0));
  constexpr int kChannels = 4;
  const Level level(texture, texture.levels.front());
  const Place place = {x, y, 0, 0, true, false};
  const std::int64_t left = level.between(0, x).first, top = level.between(1, y).first;
  // Counterclockwise from the lower left.
  constexpr std::pair<int, int> kOrder[kChannels] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  Texel texel{};
  const auto asked = static_cast<unsigned>(std::clamp(channel, 0, kChannels - 1));
  for (int i = 0; i < kChannels; ++i) {
    const auto [right, below] = kOrder[i];
    const Address at = level.at(left + right, top + below, 0, place);
    texel.channel[i] = plain_channel(texture, at, asked);
    if (texture.format.type == ChannelType::real)
      texel.channel[i] = handed_on(std::bit_cast<float>(texel.channel[i]));
  }
  return texel;
}

// Surfaces.

namespace {

/// Returns the address of the bytes in a surface; null if the access is to be ignored.
char* place_in_surface(cudaSurfaceObject_t handle, SurfacePlace place, cudaSurfaceBoundaryMode mode,
                       unsigned bytes, const void* call_site) {
  const Texture& surface = texture_or_fail(handle, "a surface in host code", call_site);
  const Texels& texels = surface.levels.front();
  const auto row_bytes = texels.width * static_cast<std::int64_t>(surface.format.bytes());
  if (place.x % static_cast<int>(bytes) != 0)
    fail_kernel(
        cudaErrorMisalignedAddress,
        fmt::format("misaligned place in a surface, x = {}: {} bytes lie at multiples of {} "
                    "(x counts bytes)",
                    place.x, bytes, bytes),
        call_site);
  const std::int64_t last_x = row_bytes - bytes;
  const std::int64_t last_y = place.has_y ? texels.height - 1 : 0;
  const std::int64_t last_z = place.has_z ? texels.depth - 1 : 0;
  const auto is_inside = [](std::int64_t at, std::int64_t last) { return at >= 0 && at <= last; };
  if (!is_inside(place.x, last_x) || !is_inside(place.y, last_y) || !is_inside(place.z, last_z)) {
    if (mode == cudaBoundaryModeZero || last_x < 0) return nullptr;
    if (mode == cudaBoundaryModeTrap)
      fail_kernel(
          cudaErrorIllegalAddress,
          fmt::format("outside the surface, at x = {} bytes, y = {}, z = {}: it has {} bytes "
                      "x {} x {}",
                      place.x, place.y, place.z, row_bytes,
                      std::max<std::int64_t>(texels.height, 1),
                      std::max<std::int64_t>(texels.depth, 1)),
          call_site);
  }
  const auto x = std::clamp<std::int64_t>(place.x, 0, last_x);
  const auto y = std::clamp<std::int64_t>(place.y, 0, last_y);
  const auto z = std::clamp<std::int64_t>(place.z, 0, last_z);
  return const_cast<char*>(texels.begin) + z * texels.slice + y * texels.pitch + x;
}

}  // namespace

void read_surface(cudaSurfaceObject_t surface, SurfacePlace place, cudaSurfaceBoundaryMode mode,
                  void* value, unsigned bytes) {
  const char* const from =
      place_in_surface(surface, place, mode, bytes, __builtin_return_address(0));
  if (from != nullptr)
    std::memcpy(value, from, bytes);
  else
    std::memset(value, 0, bytes);
}

void write_surface(cudaSurfaceObject_t surface, SurfacePlace place, cudaSurfaceBoundaryMode mode,
                   const void* value, unsigned bytes) {
  char* const to = place_in_surface(surface, place, mode, bytes, __builtin_return_address(0));
  if (to == nullptr) return;
  std::memcpy(to, value, bytes);
  note_written(to, bytes);
}

}  // namespace emu
