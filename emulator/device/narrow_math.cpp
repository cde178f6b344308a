// tanh as a GPU's instruction approximates it in 16 bits: tanh.approx of PTX.
//
// Measured on an H200, for every number (tests/emulator/device/narrow_record.cu): from 1.0078125 x
// 2^-8 up to 8 it is tanh rounded towards zero, elsewhere tanh rounded to the nearest number. Few
// numbers are an exception, by one unit in the last place.
#include <algorithm>
#include <cmath>
#include <span>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace emu::detail {
namespace {

// Positive arguments whose result is one unit larger or smaller, in ascending order.
constexpr HalfWord kLargerHalf[] = {0x29c6, 0x2c95, 0x2c96, 0x2e39, 0x2e9d, 0x3064, 0x323f, 0x32ff,
                                    0x355b, 0x372d, 0x3824, 0x399a, 0x3cc9, 0x3de3, 0x3ed6, 0x4080};
constexpr HalfWord kSmallerHalf[] = {0x2d3f, 0x39f8, 0x3c8e, 0x3c9d,
                                     0x3db8, 0x3e23, 0x3eab, 0x4429};
constexpr HalfWord kSmallerBfloat16[] = {0x3f3f};

bool has(std::span<const HalfWord> words, HalfWord word) {
  return std::binary_search(words.begin(), words.end(), word);
}

template <class Number>
float approximation(float x, std::span<const HalfWord> larger, std::span<const HalfWord> smaller) {
  constexpr float kFirst = 0x1.02p-8f, kEnd = 8;
  const float size = std::fabs(x);
  const bool truncated = size >= kFirst && size < kEnd;
  const auto result = word_of(rounded_from<Number>(truncated ? Rounding::zero : Rounding::nearest,
                                                   std::tanh(static_cast<double>(size))));
  const HalfWord argument = word_of(number_of<Number>(size));
  const int change = has(larger, argument) ? 1 : has(smaller, argument) ? -1 : 0;
  return std::copysign(float_of(of_word<Number>(static_cast<HalfWord>(result + change))), x);
}

}  // namespace

float approximate_tanh(HalfFormat, float x) noexcept {
  return approximation<__half>(x, kLargerHalf, kSmallerHalf);
}
float approximate_tanh(Bfloat16Format, float x) noexcept {
  return approximation<__nv_bfloat16>(x, {}, kSmallerBfloat16);
}

}  // namespace emu::detail
