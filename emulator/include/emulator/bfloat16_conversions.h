/// @file
/// Conversions between __nv_bfloat16 and other types by functions that name the types.
#pragma once

#include "cuda_bf16.h"  // which includes this file after the types

constexpr float __bfloat162float(__nv_bfloat16 x) { return emu::detail::float_of(x); }
constexpr __nv_bfloat16 __float2bfloat16(float x) {
  return emu::detail::number_of<__nv_bfloat16>(x);
}
constexpr __nv_bfloat16 __float2bfloat16_rn(float x) {
  return emu::detail::number_of<__nv_bfloat16>(x);
}
constexpr __nv_bfloat16 __float2bfloat16_rz(float x) {
  return emu::detail::rounded_from<__nv_bfloat16>(emu::detail::Rounding::zero, x);
}
constexpr __nv_bfloat16 __float2bfloat16_ru(float x) {
  return emu::detail::rounded_from<__nv_bfloat16>(emu::detail::Rounding::up, x);
}
constexpr __nv_bfloat16 __float2bfloat16_rd(float x) {
  return emu::detail::rounded_from<__nv_bfloat16>(emu::detail::Rounding::down, x);
}
constexpr __nv_bfloat16 __double2bfloat16(double x) {
  return emu::detail::number_of_double<__nv_bfloat16>(x);
}

inline int __bfloat162int_rn(__nv_bfloat16 x) {
  return emu::detail::integer_of<int>(emu::detail::Rounding::nearest, x);
}
inline int __bfloat162int_rz(__nv_bfloat16 x) {
  return emu::detail::integer_of<int>(emu::detail::Rounding::zero, x);
}
inline int __bfloat162int_ru(__nv_bfloat16 x) {
  return emu::detail::integer_of<int>(emu::detail::Rounding::up, x);
}
inline int __bfloat162int_rd(__nv_bfloat16 x) {
  return emu::detail::integer_of<int>(emu::detail::Rounding::down, x);
}
inline unsigned __bfloat162uint_rn(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned>(emu::detail::Rounding::nearest, x);
}
inline unsigned __bfloat162uint_rz(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned>(emu::detail::Rounding::zero, x);
}
inline unsigned __bfloat162uint_ru(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned>(emu::detail::Rounding::up, x);
}
inline unsigned __bfloat162uint_rd(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned>(emu::detail::Rounding::down, x);
}
inline short __bfloat162short_rn(__nv_bfloat16 x) {
  return emu::detail::integer_of<short>(emu::detail::Rounding::nearest, x);
}
inline short __bfloat162short_rz(__nv_bfloat16 x) {
  return emu::detail::integer_of<short>(emu::detail::Rounding::zero, x);
}
inline short __bfloat162short_ru(__nv_bfloat16 x) {
  return emu::detail::integer_of<short>(emu::detail::Rounding::up, x);
}
inline short __bfloat162short_rd(__nv_bfloat16 x) {
  return emu::detail::integer_of<short>(emu::detail::Rounding::down, x);
}
inline unsigned short __bfloat162ushort_rn(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned short>(emu::detail::Rounding::nearest, x);
}
inline unsigned short __bfloat162ushort_rz(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned short>(emu::detail::Rounding::zero, x);
}
inline unsigned short __bfloat162ushort_ru(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned short>(emu::detail::Rounding::up, x);
}
inline unsigned short __bfloat162ushort_rd(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned short>(emu::detail::Rounding::down, x);
}
inline long long __bfloat162ll_rn(__nv_bfloat16 x) {
  return emu::detail::integer_of<long long>(emu::detail::Rounding::nearest, x);
}
inline long long __bfloat162ll_rz(__nv_bfloat16 x) {
  return emu::detail::integer_of<long long>(emu::detail::Rounding::zero, x);
}
inline long long __bfloat162ll_ru(__nv_bfloat16 x) {
  return emu::detail::integer_of<long long>(emu::detail::Rounding::up, x);
}
inline long long __bfloat162ll_rd(__nv_bfloat16 x) {
  return emu::detail::integer_of<long long>(emu::detail::Rounding::down, x);
}
inline unsigned long long __bfloat162ull_rn(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned long long>(emu::detail::Rounding::nearest, x);
}
inline unsigned long long __bfloat162ull_rz(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned long long>(emu::detail::Rounding::zero, x);
}
inline unsigned long long __bfloat162ull_ru(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned long long>(emu::detail::Rounding::up, x);
}
inline unsigned long long __bfloat162ull_rd(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned long long>(emu::detail::Rounding::down, x);
}
inline signed char __bfloat162char_rz(__nv_bfloat16 x) {
  return emu::detail::integer_of<signed char>(emu::detail::Rounding::zero, x);
}
inline unsigned char __bfloat162uchar_rz(__nv_bfloat16 x) {
  return emu::detail::integer_of<unsigned char>(emu::detail::Rounding::zero, x);
}

constexpr __nv_bfloat16 __int2bfloat16_rn(int x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::nearest,
                                                          static_cast<long long>(x));
}
constexpr __nv_bfloat16 __int2bfloat16_rz(int x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::zero,
                                                          static_cast<long long>(x));
}
constexpr __nv_bfloat16 __int2bfloat16_ru(int x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::up,
                                                          static_cast<long long>(x));
}
constexpr __nv_bfloat16 __int2bfloat16_rd(int x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::down,
                                                          static_cast<long long>(x));
}
constexpr __nv_bfloat16 __uint2bfloat16_rn(unsigned x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::nearest,
                                                          static_cast<unsigned long long>(x));
}
constexpr __nv_bfloat16 __uint2bfloat16_rz(unsigned x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::zero,
                                                          static_cast<unsigned long long>(x));
}
constexpr __nv_bfloat16 __uint2bfloat16_ru(unsigned x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::up,
                                                          static_cast<unsigned long long>(x));
}
constexpr __nv_bfloat16 __uint2bfloat16_rd(unsigned x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::down,
                                                          static_cast<unsigned long long>(x));
}
constexpr __nv_bfloat16 __short2bfloat16_rn(short x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::nearest,
                                                          static_cast<long long>(x));
}
constexpr __nv_bfloat16 __short2bfloat16_rz(short x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::zero,
                                                          static_cast<long long>(x));
}
constexpr __nv_bfloat16 __short2bfloat16_ru(short x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::up,
                                                          static_cast<long long>(x));
}
constexpr __nv_bfloat16 __short2bfloat16_rd(short x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::down,
                                                          static_cast<long long>(x));
}
constexpr __nv_bfloat16 __ushort2bfloat16_rn(unsigned short x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::nearest,
                                                          static_cast<unsigned long long>(x));
}
constexpr __nv_bfloat16 __ushort2bfloat16_rz(unsigned short x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::zero,
                                                          static_cast<unsigned long long>(x));
}
constexpr __nv_bfloat16 __ushort2bfloat16_ru(unsigned short x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::up,
                                                          static_cast<unsigned long long>(x));
}
constexpr __nv_bfloat16 __ushort2bfloat16_rd(unsigned short x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::down,
                                                          static_cast<unsigned long long>(x));
}
constexpr __nv_bfloat16 __ll2bfloat16_rn(long long x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::nearest, x);
}
constexpr __nv_bfloat16 __ll2bfloat16_rz(long long x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::zero, x);
}
constexpr __nv_bfloat16 __ll2bfloat16_ru(long long x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::up, x);
}
constexpr __nv_bfloat16 __ll2bfloat16_rd(long long x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::down, x);
}
constexpr __nv_bfloat16 __ull2bfloat16_rn(unsigned long long x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::nearest, x);
}
constexpr __nv_bfloat16 __ull2bfloat16_rz(unsigned long long x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::zero, x);
}
constexpr __nv_bfloat16 __ull2bfloat16_ru(unsigned long long x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::up, x);
}
constexpr __nv_bfloat16 __ull2bfloat16_rd(unsigned long long x) {
  return emu::detail::rounded_from_integer<__nv_bfloat16>(emu::detail::Rounding::down, x);
}

// ------------------------------------------------------------------------------------ bits

constexpr short __bfloat16_as_short(__nv_bfloat16 x) { return __builtin_bit_cast(short, x); }
constexpr unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return emu::detail::word_of(x); }
constexpr __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __builtin_bit_cast(__nv_bfloat16, bits);
}
constexpr __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return emu::detail::of_word<__nv_bfloat16>(bits);
}

// ----------------------------------------------------------------------------------- pairs

constexpr __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
constexpr __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
constexpr __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
constexpr __nv_bfloat162 __float2bfloat162_rn(float x) {
  return __bfloat162bfloat162(emu::detail::number_of<__nv_bfloat16>(x));
}
constexpr __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {emu::detail::number_of<__nv_bfloat16>(x), emu::detail::number_of<__nv_bfloat16>(y)};
}
constexpr __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
constexpr float2 __bfloat1622float2(__nv_bfloat162 v) {
  return {emu::detail::float_of(v.x), emu::detail::float_of(v.y)};
}
constexpr __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
constexpr __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
constexpr __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return {v.x, v.x}; }
constexpr __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return {v.y, v.y}; }
constexpr __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 v, __nv_bfloat162 w) { return {v.x, w.x}; }
constexpr __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 v, __nv_bfloat162 w) {
  return {v.y, w.y};
}
