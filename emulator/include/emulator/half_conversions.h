/// @file
/// Conversions between __half and other types by functions that name the types.
#pragma once

#include "cuda_fp16.h"  // which includes this file after the types

constexpr float __half2float(__half x) { return emu::detail::float_of(x); }
constexpr __half __float2half(float x) { return emu::detail::number_of<__half>(x); }
constexpr __half __float2half_rn(float x) { return emu::detail::number_of<__half>(x); }
constexpr __half __float2half_rz(float x) {
  return emu::detail::rounded_from<__half>(emu::detail::Rounding::zero, x);
}
constexpr __half __float2half_ru(float x) {
  return emu::detail::rounded_from<__half>(emu::detail::Rounding::up, x);
}
constexpr __half __float2half_rd(float x) {
  return emu::detail::rounded_from<__half>(emu::detail::Rounding::down, x);
}
constexpr __half __double2half(double x) { return emu::detail::number_of_double<__half>(x); }

inline int __half2int_rn(__half x) {
  return emu::detail::integer_of<int>(emu::detail::Rounding::nearest, x);
}
inline int __half2int_rz(__half x) {
  return emu::detail::integer_of<int>(emu::detail::Rounding::zero, x);
}
inline int __half2int_ru(__half x) {
  return emu::detail::integer_of<int>(emu::detail::Rounding::up, x);
}
inline int __half2int_rd(__half x) {
  return emu::detail::integer_of<int>(emu::detail::Rounding::down, x);
}
inline unsigned __half2uint_rn(__half x) {
  return emu::detail::integer_of<unsigned>(emu::detail::Rounding::nearest, x);
}
inline unsigned __half2uint_rz(__half x) {
  return emu::detail::integer_of<unsigned>(emu::detail::Rounding::zero, x);
}
inline unsigned __half2uint_ru(__half x) {
  return emu::detail::integer_of<unsigned>(emu::detail::Rounding::up, x);
}
inline unsigned __half2uint_rd(__half x) {
  return emu::detail::integer_of<unsigned>(emu::detail::Rounding::down, x);
}
inline short __half2short_rn(__half x) {
  return emu::detail::integer_of<short>(emu::detail::Rounding::nearest, x);
}
inline short __half2short_rz(__half x) {
  return emu::detail::integer_of<short>(emu::detail::Rounding::zero, x);
}
inline short __half2short_ru(__half x) {
  return emu::detail::integer_of<short>(emu::detail::Rounding::up, x);
}
inline short __half2short_rd(__half x) {
  return emu::detail::integer_of<short>(emu::detail::Rounding::down, x);
}
inline unsigned short __half2ushort_rn(__half x) {
  return emu::detail::integer_of<unsigned short>(emu::detail::Rounding::nearest, x);
}
inline unsigned short __half2ushort_rz(__half x) {
  return emu::detail::integer_of<unsigned short>(emu::detail::Rounding::zero, x);
}
inline unsigned short __half2ushort_ru(__half x) {
  return emu::detail::integer_of<unsigned short>(emu::detail::Rounding::up, x);
}
inline unsigned short __half2ushort_rd(__half x) {
  return emu::detail::integer_of<unsigned short>(emu::detail::Rounding::down, x);
}
inline long long __half2ll_rn(__half x) {
  return emu::detail::integer_of<long long>(emu::detail::Rounding::nearest, x);
}
inline long long __half2ll_rz(__half x) {
  return emu::detail::integer_of<long long>(emu::detail::Rounding::zero, x);
}
inline long long __half2ll_ru(__half x) {
  return emu::detail::integer_of<long long>(emu::detail::Rounding::up, x);
}
inline long long __half2ll_rd(__half x) {
  return emu::detail::integer_of<long long>(emu::detail::Rounding::down, x);
}
inline unsigned long long __half2ull_rn(__half x) {
  return emu::detail::integer_of<unsigned long long>(emu::detail::Rounding::nearest, x);
}
inline unsigned long long __half2ull_rz(__half x) {
  return emu::detail::integer_of<unsigned long long>(emu::detail::Rounding::zero, x);
}
inline unsigned long long __half2ull_ru(__half x) {
  return emu::detail::integer_of<unsigned long long>(emu::detail::Rounding::up, x);
}
inline unsigned long long __half2ull_rd(__half x) {
  return emu::detail::integer_of<unsigned long long>(emu::detail::Rounding::down, x);
}
inline signed char __half2char_rz(__half x) {
  return emu::detail::integer_of<signed char>(emu::detail::Rounding::zero, x);
}
inline unsigned char __half2uchar_rz(__half x) {
  return emu::detail::integer_of<unsigned char>(emu::detail::Rounding::zero, x);
}

constexpr __half __int2half_rn(int x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::nearest,
                                                   static_cast<long long>(x));
}
constexpr __half __int2half_rz(int x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::zero,
                                                   static_cast<long long>(x));
}
constexpr __half __int2half_ru(int x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::up,
                                                   static_cast<long long>(x));
}
constexpr __half __int2half_rd(int x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::down,
                                                   static_cast<long long>(x));
}
constexpr __half __uint2half_rn(unsigned x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::nearest,
                                                   static_cast<unsigned long long>(x));
}
constexpr __half __uint2half_rz(unsigned x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::zero,
                                                   static_cast<unsigned long long>(x));
}
constexpr __half __uint2half_ru(unsigned x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::up,
                                                   static_cast<unsigned long long>(x));
}
constexpr __half __uint2half_rd(unsigned x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::down,
                                                   static_cast<unsigned long long>(x));
}
constexpr __half __short2half_rn(short x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::nearest,
                                                   static_cast<long long>(x));
}
constexpr __half __short2half_rz(short x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::zero,
                                                   static_cast<long long>(x));
}
constexpr __half __short2half_ru(short x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::up,
                                                   static_cast<long long>(x));
}
constexpr __half __short2half_rd(short x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::down,
                                                   static_cast<long long>(x));
}
constexpr __half __ushort2half_rn(unsigned short x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::nearest,
                                                   static_cast<unsigned long long>(x));
}
constexpr __half __ushort2half_rz(unsigned short x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::zero,
                                                   static_cast<unsigned long long>(x));
}
constexpr __half __ushort2half_ru(unsigned short x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::up,
                                                   static_cast<unsigned long long>(x));
}
constexpr __half __ushort2half_rd(unsigned short x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::down,
                                                   static_cast<unsigned long long>(x));
}
constexpr __half __ll2half_rn(long long x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::nearest, x);
}
constexpr __half __ll2half_rz(long long x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::zero, x);
}
constexpr __half __ll2half_ru(long long x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::up, x);
}
constexpr __half __ll2half_rd(long long x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::down, x);
}
constexpr __half __ull2half_rn(unsigned long long x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::nearest, x);
}
constexpr __half __ull2half_rz(unsigned long long x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::zero, x);
}
constexpr __half __ull2half_ru(unsigned long long x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::up, x);
}
constexpr __half __ull2half_rd(unsigned long long x) {
  return emu::detail::rounded_from_integer<__half>(emu::detail::Rounding::down, x);
}

// ------------------------------------------------------------------------------------ bits

constexpr short __half_as_short(__half x) { return __builtin_bit_cast(short, x); }
constexpr unsigned short __half_as_ushort(__half x) { return emu::detail::word_of(x); }
constexpr __half __short_as_half(short bits) { return __builtin_bit_cast(__half, bits); }
constexpr __half __ushort_as_half(unsigned short bits) {
  return emu::detail::of_word<__half>(bits);
}

// ----------------------------------------------------------------------------------- pairs

constexpr __half2 make_half2(__half x, __half y) { return {x, y}; }
constexpr __half2 __half2half2(__half x) { return {x, x}; }
constexpr __half2 __halves2half2(__half x, __half y) { return {x, y}; }
constexpr __half2 __float2half2_rn(float x) {
  return __half2half2(emu::detail::number_of<__half>(x));
}
constexpr __half2 __floats2half2_rn(float x, float y) {
  return {emu::detail::number_of<__half>(x), emu::detail::number_of<__half>(y)};
}
constexpr __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
constexpr float2 __half22float2(__half2 v) {
  return {emu::detail::float_of(v.x), emu::detail::float_of(v.y)};
}
constexpr __half __low2half(__half2 v) { return v.x; }
constexpr __half __high2half(__half2 v) { return v.y; }
constexpr __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
constexpr __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
constexpr __half2 __lows2half2(__half2 v, __half2 w) { return {v.x, w.x}; }
constexpr __half2 __highs2half2(__half2 v, __half2 w) { return {v.y, w.y}; }
