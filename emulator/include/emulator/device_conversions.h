/// @file
/// Conversions between numbers with explicit rounding, and between numbers and their bits.
///
/// A value that does not fit an integer type becomes the nearest value that does. NaN becomes 0; if
/// either type has 64 bits, NaN becomes the integer with only the highest bit set.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "emulator/device_arithmetic.h"
#include "host_defines.h"

namespace emu::detail {

/// Converts `value`, an integral or infinite number or NaN, to the nearest `Integer`.
template <class Integer, class Float>
constexpr Integer saturated(Float value) {
  using Limits = std::numeric_limits<Integer>;
  constexpr int kWideBytes = 8;
  constexpr Float kEnd =
      Float{2} * static_cast<Float>(Limits::max() / 2 + 1);  // exact, a power of 2
  if (value != value) {
    if (sizeof(Integer) < kWideBytes && sizeof(Float) < kWideBytes) return 0;
    return static_cast<Integer>(std::uintmax_t{1} << (8 * sizeof(Integer) - 1));
  }
  if (value >= kEnd) return Limits::max();
  if (value <= static_cast<Float>(Limits::min())) return Limits::min();
  return static_cast<Integer>(value);
}

template <class Integer, class Float>
Integer to_integer(Rounding rounding, Float value) {
  switch (rounding) {
    case Rounding::zero:
      return saturated<Integer>(std::trunc(value));
    case Rounding::up:
      return saturated<Integer>(std::ceil(value));
    case Rounding::down:
      return saturated<Integer>(std::floor(value));
    default:
      return saturated<Integer>(std::nearbyint(value));
  }
}

float to_float(Rounding rounding, double value) noexcept;
float to_float(Rounding rounding, long long value) noexcept;
float to_float(Rounding rounding, unsigned long long value) noexcept;
double to_double(Rounding rounding, long long value) noexcept;
double to_double(Rounding rounding, unsigned long long value) noexcept;

}  // namespace emu::detail

inline int __float2int_rn(float x) {
  return emu::detail::to_integer<int>(emu::detail::Rounding::nearest, x);
}
inline int __float2int_rz(float x) {
  return emu::detail::to_integer<int>(emu::detail::Rounding::zero, x);
}
inline int __float2int_ru(float x) {
  return emu::detail::to_integer<int>(emu::detail::Rounding::up, x);
}
inline int __float2int_rd(float x) {
  return emu::detail::to_integer<int>(emu::detail::Rounding::down, x);
}
inline unsigned __float2uint_rn(float x) {
  return emu::detail::to_integer<unsigned>(emu::detail::Rounding::nearest, x);
}
inline unsigned __float2uint_rz(float x) {
  return emu::detail::to_integer<unsigned>(emu::detail::Rounding::zero, x);
}
inline unsigned __float2uint_ru(float x) {
  return emu::detail::to_integer<unsigned>(emu::detail::Rounding::up, x);
}
inline unsigned __float2uint_rd(float x) {
  return emu::detail::to_integer<unsigned>(emu::detail::Rounding::down, x);
}
inline long long __float2ll_rn(float x) {
  return emu::detail::to_integer<long long>(emu::detail::Rounding::nearest, x);
}
inline long long __float2ll_rz(float x) {
  return emu::detail::to_integer<long long>(emu::detail::Rounding::zero, x);
}
inline long long __float2ll_ru(float x) {
  return emu::detail::to_integer<long long>(emu::detail::Rounding::up, x);
}
inline long long __float2ll_rd(float x) {
  return emu::detail::to_integer<long long>(emu::detail::Rounding::down, x);
}
inline unsigned long long __float2ull_rn(float x) {
  return emu::detail::to_integer<unsigned long long>(emu::detail::Rounding::nearest, x);
}
inline unsigned long long __float2ull_rz(float x) {
  return emu::detail::to_integer<unsigned long long>(emu::detail::Rounding::zero, x);
}
inline unsigned long long __float2ull_ru(float x) {
  return emu::detail::to_integer<unsigned long long>(emu::detail::Rounding::up, x);
}
inline unsigned long long __float2ull_rd(float x) {
  return emu::detail::to_integer<unsigned long long>(emu::detail::Rounding::down, x);
}

inline int __double2int_rn(double x) {
  return emu::detail::to_integer<int>(emu::detail::Rounding::nearest, x);
}
inline int __double2int_rz(double x) {
  return emu::detail::to_integer<int>(emu::detail::Rounding::zero, x);
}
inline int __double2int_ru(double x) {
  return emu::detail::to_integer<int>(emu::detail::Rounding::up, x);
}
inline int __double2int_rd(double x) {
  return emu::detail::to_integer<int>(emu::detail::Rounding::down, x);
}
inline unsigned __double2uint_rn(double x) {
  return emu::detail::to_integer<unsigned>(emu::detail::Rounding::nearest, x);
}
inline unsigned __double2uint_rz(double x) {
  return emu::detail::to_integer<unsigned>(emu::detail::Rounding::zero, x);
}
inline unsigned __double2uint_ru(double x) {
  return emu::detail::to_integer<unsigned>(emu::detail::Rounding::up, x);
}
inline unsigned __double2uint_rd(double x) {
  return emu::detail::to_integer<unsigned>(emu::detail::Rounding::down, x);
}
inline long long __double2ll_rn(double x) {
  return emu::detail::to_integer<long long>(emu::detail::Rounding::nearest, x);
}
inline long long __double2ll_rz(double x) {
  return emu::detail::to_integer<long long>(emu::detail::Rounding::zero, x);
}
inline long long __double2ll_ru(double x) {
  return emu::detail::to_integer<long long>(emu::detail::Rounding::up, x);
}
inline long long __double2ll_rd(double x) {
  return emu::detail::to_integer<long long>(emu::detail::Rounding::down, x);
}
inline unsigned long long __double2ull_rn(double x) {
  return emu::detail::to_integer<unsigned long long>(emu::detail::Rounding::nearest, x);
}
inline unsigned long long __double2ull_rz(double x) {
  return emu::detail::to_integer<unsigned long long>(emu::detail::Rounding::zero, x);
}
inline unsigned long long __double2ull_ru(double x) {
  return emu::detail::to_integer<unsigned long long>(emu::detail::Rounding::up, x);
}
inline unsigned long long __double2ull_rd(double x) {
  return emu::detail::to_integer<unsigned long long>(emu::detail::Rounding::down, x);
}

inline float __double2float_rn(double x) {
  return emu::detail::to_float(emu::detail::Rounding::nearest, x);
}
inline float __double2float_rz(double x) {
  return emu::detail::to_float(emu::detail::Rounding::zero, x);
}
inline float __double2float_ru(double x) {
  return emu::detail::to_float(emu::detail::Rounding::up, x);
}
inline float __double2float_rd(double x) {
  return emu::detail::to_float(emu::detail::Rounding::down, x);
}

inline float __int2float_rn(int x) {
  return emu::detail::to_float(emu::detail::Rounding::nearest, static_cast<long long>(x));
}
inline float __int2float_rz(int x) {
  return emu::detail::to_float(emu::detail::Rounding::zero, static_cast<long long>(x));
}
inline float __int2float_ru(int x) {
  return emu::detail::to_float(emu::detail::Rounding::up, static_cast<long long>(x));
}
inline float __int2float_rd(int x) {
  return emu::detail::to_float(emu::detail::Rounding::down, static_cast<long long>(x));
}
inline float __uint2float_rn(unsigned x) {
  return emu::detail::to_float(emu::detail::Rounding::nearest, static_cast<unsigned long long>(x));
}
inline float __uint2float_rz(unsigned x) {
  return emu::detail::to_float(emu::detail::Rounding::zero, static_cast<unsigned long long>(x));
}
inline float __uint2float_ru(unsigned x) {
  return emu::detail::to_float(emu::detail::Rounding::up, static_cast<unsigned long long>(x));
}
inline float __uint2float_rd(unsigned x) {
  return emu::detail::to_float(emu::detail::Rounding::down, static_cast<unsigned long long>(x));
}
inline float __ll2float_rn(long long x) {
  return emu::detail::to_float(emu::detail::Rounding::nearest, x);
}
inline float __ll2float_rz(long long x) {
  return emu::detail::to_float(emu::detail::Rounding::zero, x);
}
inline float __ll2float_ru(long long x) {
  return emu::detail::to_float(emu::detail::Rounding::up, x);
}
inline float __ll2float_rd(long long x) {
  return emu::detail::to_float(emu::detail::Rounding::down, x);
}
inline float __ull2float_rn(unsigned long long x) {
  return emu::detail::to_float(emu::detail::Rounding::nearest, x);
}
inline float __ull2float_rz(unsigned long long x) {
  return emu::detail::to_float(emu::detail::Rounding::zero, x);
}
inline float __ull2float_ru(unsigned long long x) {
  return emu::detail::to_float(emu::detail::Rounding::up, x);
}
inline float __ull2float_rd(unsigned long long x) {
  return emu::detail::to_float(emu::detail::Rounding::down, x);
}

constexpr double __int2double_rn(int x) { return x; }
constexpr double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) {
  return emu::detail::to_double(emu::detail::Rounding::nearest, x);
}
inline double __ll2double_rz(long long x) {
  return emu::detail::to_double(emu::detail::Rounding::zero, x);
}
inline double __ll2double_ru(long long x) {
  return emu::detail::to_double(emu::detail::Rounding::up, x);
}
inline double __ll2double_rd(long long x) {
  return emu::detail::to_double(emu::detail::Rounding::down, x);
}
inline double __ull2double_rn(unsigned long long x) {
  return emu::detail::to_double(emu::detail::Rounding::nearest, x);
}
inline double __ull2double_rz(unsigned long long x) {
  return emu::detail::to_double(emu::detail::Rounding::zero, x);
}
inline double __ull2double_ru(unsigned long long x) {
  return emu::detail::to_double(emu::detail::Rounding::up, x);
}
inline double __ull2double_rd(unsigned long long x) {
  return emu::detail::to_double(emu::detail::Rounding::down, x);
}

constexpr int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
constexpr unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
constexpr float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
constexpr float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
constexpr long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
constexpr double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
constexpr int __double2hiint(double x) {
  return static_cast<int>(__builtin_bit_cast(std::uint64_t, x) >> 32);
}
constexpr int __double2loint(double x) {
  return static_cast<int>(static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, x)));
}
constexpr double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                                        static_cast<std::uint32_t>(low));
}
