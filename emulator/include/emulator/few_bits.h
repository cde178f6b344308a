/// @file
/// What the types of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h have in common: one number, two and four
/// side by side.
#pragma once

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "emulator/narrow_format.h"

namespace emu::detail {

/// The raw types as numbers; a float holds each of them.
constexpr float float_of(__half_raw x) { return to_float(HalfFormat{}, x.x); }
constexpr float float_of(__nv_bfloat16_raw x) { return to_float(Bfloat16Format{}, x.x); }

// A kind of numbers says how many bits lie between the first bits of two neighbours, has the types
// that one, two and four numbers are in, encodes and decodes a number, and tells which are true.

/// Numbers that begin at a byte each.
struct KindInBytes {
  using One = unsigned char;
  using Two = unsigned short;
  using Four = unsigned int;
  static constexpr int kStride = 8;
};

/// What a number of the kind is, from an integer: of a kind with `encode_integer`, the exact one;
/// else by way of a float.
template <class Kind, class Integer>
constexpr auto encode_integer(Integer value, int) -> decltype(Kind::encode_integer(Exact{})) {
  using Wide = std::conditional_t<std::is_signed_v<Integer>, long long, unsigned long long>;
  return Kind::encode_integer(exact(static_cast<Wide>(value)));
}
template <class Kind, class Integer>
constexpr typename Kind::One encode_integer(Integer value, long) {
  return Kind::encode(static_cast<float>(value));
}

/// The number at a place in a word of several.
template <class Kind, class Word>
constexpr float number_at(Word word, int index) {
  constexpr unsigned kMask = (1u << Kind::kStride) - 1;
  return Kind::decode(static_cast<typename Kind::One>(word >> (index * Kind::kStride) & kMask));
}

namespace types {

template <class Kind>
struct OneNumber {
  OneNumber() = default;
  explicit constexpr OneNumber(__half value) : __x(Kind::encode(float_of(value))) {}
  explicit constexpr OneNumber(__nv_bfloat16 value) : __x(Kind::encode(float_of(value))) {}
  explicit constexpr OneNumber(float value) : __x(Kind::encode(value)) {}
  explicit constexpr OneNumber(double value) : __x(Kind::encode(value)) {}
  explicit constexpr OneNumber(short value) : __x(encode_integer<Kind>(value, 0)) {}
  explicit constexpr OneNumber(unsigned short value) : __x(encode_integer<Kind>(value, 0)) {}
  explicit constexpr OneNumber(int value) : __x(encode_integer<Kind>(value, 0)) {}
  explicit constexpr OneNumber(unsigned value) : __x(encode_integer<Kind>(value, 0)) {}
  explicit constexpr OneNumber(long value) : __x(encode_integer<Kind>(value, 0)) {}
  explicit constexpr OneNumber(unsigned long value) : __x(encode_integer<Kind>(value, 0)) {}
  explicit constexpr OneNumber(long long value) : __x(encode_integer<Kind>(value, 0)) {}
  explicit constexpr OneNumber(unsigned long long value) : __x(encode_integer<Kind>(value, 0)) {}

  explicit constexpr operator __half() const { return number_of<__half>(value()); }
  explicit constexpr operator __nv_bfloat16() const { return number_of<__nv_bfloat16>(value()); }
  explicit constexpr operator float() const { return value(); }
  explicit constexpr operator double() const { return value(); }
  explicit operator signed char() const { return integer<signed char>(); }
  explicit operator unsigned char() const { return integer<unsigned char>(); }
  explicit operator char() const { return integer<char>(); }
  explicit operator short() const { return integer<short>(); }
  explicit operator unsigned short() const { return integer<unsigned short>(); }
  explicit operator int() const { return integer<int>(); }
  explicit operator unsigned() const { return integer<unsigned>(); }
  explicit operator long() const { return integer<long>(); }
  explicit operator unsigned long() const { return integer<unsigned long>(); }
  explicit operator long long() const { return integer<long long>(); }
  explicit operator unsigned long long() const { return integer<unsigned long long>(); }
  explicit constexpr operator bool() const { return Kind::is_true(__x); }

  typename Kind::One __x;

 private:
  constexpr float value() const { return Kind::decode(__x); }
  template <class Integer>
  Integer integer() const {
    return to_integer<Integer>(Rounding::zero, value());
  }
};

/// The first number has the lower bits.
template <class Kind>
struct TwoNumbers {
  TwoNumbers() = default;
  explicit constexpr TwoNumbers(__half2 v) : TwoNumbers(float_of(v.x), float_of(v.y), 0) {}
  explicit constexpr TwoNumbers(__nv_bfloat162 v) : TwoNumbers(float_of(v.x), float_of(v.y), 0) {}
  explicit constexpr TwoNumbers(float2 v) : TwoNumbers(v.x, v.y, 0) {}
  explicit constexpr TwoNumbers(double2 v) : TwoNumbers(v.x, v.y, 0) {}

  explicit constexpr operator __half2() const { return {at<__half>(0), at<__half>(1)}; }
  explicit constexpr operator float2() const {
    return {number_at<Kind>(__x, 0), number_at<Kind>(__x, 1)};
  }

  typename Kind::Two __x;

 protected:
  template <class Number>
  constexpr Number at(int index) const {
    return number_of<Number>(number_at<Kind>(__x, index));
  }

 private:
  template <class Real>
  constexpr TwoNumbers(Real low, Real high, int)
      : __x(static_cast<typename Kind::Two>(Kind::encode(low) | Kind::encode(high)
                                                                    << Kind::kStride)) {}
};

template <class Kind>
struct FourNumbers {
  using Two = TwoNumbers<Kind>;

  FourNumbers() = default;
  explicit constexpr FourNumbers(__half2 low, __half2 high) : FourNumbers(Two(low), Two(high)) {}
  explicit constexpr FourNumbers(__nv_bfloat162 low, __nv_bfloat162 high)
      : FourNumbers(Two(low), Two(high)) {}
  explicit constexpr FourNumbers(float4 v)
      : FourNumbers(Two(float2{v.x, v.y}), Two(float2{v.z, v.w})) {}
  explicit constexpr FourNumbers(double4 v)
      : FourNumbers(Two(double2{v.x, v.y}), Two(double2{v.z, v.w})) {}
  explicit constexpr FourNumbers(double4_16a v)
      : FourNumbers(Two(double2{v.x, v.y}), Two(double2{v.z, v.w})) {}
  explicit constexpr FourNumbers(double4_32a v)
      : FourNumbers(Two(double2{v.x, v.y}), Two(double2{v.z, v.w})) {}

  explicit constexpr operator float4() const {
    return {number_at<Kind>(__x, 0), number_at<Kind>(__x, 1), number_at<Kind>(__x, 2),
            number_at<Kind>(__x, 3)};
  }

  typename Kind::Four __x;

 private:
  constexpr FourNumbers(Two low, Two high)
      : __x(static_cast<typename Kind::Four>(low.__x | static_cast<typename Kind::Four>(high.__x)
                                                           << (2 * Kind::kStride))) {}
};

}  // namespace types

}  // namespace emu::detail
