/// @file
/// Arithmetic with explicit rounding: _rn to nearest (ties to even), _rz towards zero, _ru up, _rd
/// down.
/// down.
#pragma once

#include <cstdint>

#include "host_defines.h"

namespace emu::detail {

enum class Rounding : std::uint8_t { nearest, zero, up, down };

float add(Rounding rounding, float x, float y) noexcept;
float multiply(Rounding rounding, float x, float y) noexcept;
float divide(Rounding rounding, float x, float y) noexcept;
float square_root(Rounding rounding, float x) noexcept;
float fused_multiply_add(Rounding rounding, float x, float y, float z) noexcept;
double add(Rounding rounding, double x, double y) noexcept;
double multiply(Rounding rounding, double x, double y) noexcept;
double divide(Rounding rounding, double x, double y) noexcept;
double square_root(Rounding rounding, double x) noexcept;
double fused_multiply_add(Rounding rounding, double x, double y, double z) noexcept;
float reciprocal_square_root_rn(float x) noexcept;

}  // namespace emu::detail

inline float __fadd_rn(float x, float y) {
  return emu::detail::add(emu::detail::Rounding::nearest, x, y);
}
inline float __fsub_rn(float x, float y) {
  return emu::detail::add(emu::detail::Rounding::nearest, x, -y);
}
inline float __fmul_rn(float x, float y) {
  return emu::detail::multiply(emu::detail::Rounding::nearest, x, y);
}
inline float __fdiv_rn(float x, float y) {
  return emu::detail::divide(emu::detail::Rounding::nearest, x, y);
}
inline float __frcp_rn(float x) {
  return emu::detail::divide(emu::detail::Rounding::nearest, 1.0f, x);
}
inline float __fsqrt_rn(float x) {
  return emu::detail::square_root(emu::detail::Rounding::nearest, x);
}
inline float __fmaf_rn(float x, float y, float z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::nearest, x, y, z);
}
inline float __fmaf_ieee_rn(float x, float y, float z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::nearest, x, y, z);
}

inline float __fadd_rz(float x, float y) {
  return emu::detail::add(emu::detail::Rounding::zero, x, y);
}
inline float __fsub_rz(float x, float y) {
  return emu::detail::add(emu::detail::Rounding::zero, x, -y);
}
inline float __fmul_rz(float x, float y) {
  return emu::detail::multiply(emu::detail::Rounding::zero, x, y);
}
inline float __fdiv_rz(float x, float y) {
  return emu::detail::divide(emu::detail::Rounding::zero, x, y);
}
inline float __frcp_rz(float x) {
  return emu::detail::divide(emu::detail::Rounding::zero, 1.0f, x);
}
inline float __fsqrt_rz(float x) {
  return emu::detail::square_root(emu::detail::Rounding::zero, x);
}
inline float __fmaf_rz(float x, float y, float z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::zero, x, y, z);
}
inline float __fmaf_ieee_rz(float x, float y, float z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::zero, x, y, z);
}

inline float __fadd_ru(float x, float y) {
  return emu::detail::add(emu::detail::Rounding::up, x, y);
}
inline float __fsub_ru(float x, float y) {
  return emu::detail::add(emu::detail::Rounding::up, x, -y);
}
inline float __fmul_ru(float x, float y) {
  return emu::detail::multiply(emu::detail::Rounding::up, x, y);
}
inline float __fdiv_ru(float x, float y) {
  return emu::detail::divide(emu::detail::Rounding::up, x, y);
}
inline float __frcp_ru(float x) { return emu::detail::divide(emu::detail::Rounding::up, 1.0f, x); }
inline float __fsqrt_ru(float x) { return emu::detail::square_root(emu::detail::Rounding::up, x); }
inline float __fmaf_ru(float x, float y, float z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::up, x, y, z);
}
inline float __fmaf_ieee_ru(float x, float y, float z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::up, x, y, z);
}

inline float __fadd_rd(float x, float y) {
  return emu::detail::add(emu::detail::Rounding::down, x, y);
}
inline float __fsub_rd(float x, float y) {
  return emu::detail::add(emu::detail::Rounding::down, x, -y);
}
inline float __fmul_rd(float x, float y) {
  return emu::detail::multiply(emu::detail::Rounding::down, x, y);
}
inline float __fdiv_rd(float x, float y) {
  return emu::detail::divide(emu::detail::Rounding::down, x, y);
}
inline float __frcp_rd(float x) {
  return emu::detail::divide(emu::detail::Rounding::down, 1.0f, x);
}
inline float __fsqrt_rd(float x) {
  return emu::detail::square_root(emu::detail::Rounding::down, x);
}
inline float __fmaf_rd(float x, float y, float z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::down, x, y, z);
}
inline float __fmaf_ieee_rd(float x, float y, float z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::down, x, y, z);
}

inline double __dadd_rn(double x, double y) {
  return emu::detail::add(emu::detail::Rounding::nearest, x, y);
}
inline double __dsub_rn(double x, double y) {
  return emu::detail::add(emu::detail::Rounding::nearest, x, -y);
}
inline double __dmul_rn(double x, double y) {
  return emu::detail::multiply(emu::detail::Rounding::nearest, x, y);
}
inline double __ddiv_rn(double x, double y) {
  return emu::detail::divide(emu::detail::Rounding::nearest, x, y);
}
inline double __drcp_rn(double x) {
  return emu::detail::divide(emu::detail::Rounding::nearest, 1.0, x);
}
inline double __dsqrt_rn(double x) {
  return emu::detail::square_root(emu::detail::Rounding::nearest, x);
}
inline double __fma_rn(double x, double y, double z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::nearest, x, y, z);
}

inline double __dadd_rz(double x, double y) {
  return emu::detail::add(emu::detail::Rounding::zero, x, y);
}
inline double __dsub_rz(double x, double y) {
  return emu::detail::add(emu::detail::Rounding::zero, x, -y);
}
inline double __dmul_rz(double x, double y) {
  return emu::detail::multiply(emu::detail::Rounding::zero, x, y);
}
inline double __ddiv_rz(double x, double y) {
  return emu::detail::divide(emu::detail::Rounding::zero, x, y);
}
inline double __drcp_rz(double x) {
  return emu::detail::divide(emu::detail::Rounding::zero, 1.0, x);
}
inline double __dsqrt_rz(double x) {
  return emu::detail::square_root(emu::detail::Rounding::zero, x);
}
inline double __fma_rz(double x, double y, double z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::zero, x, y, z);
}

inline double __dadd_ru(double x, double y) {
  return emu::detail::add(emu::detail::Rounding::up, x, y);
}
inline double __dsub_ru(double x, double y) {
  return emu::detail::add(emu::detail::Rounding::up, x, -y);
}
inline double __dmul_ru(double x, double y) {
  return emu::detail::multiply(emu::detail::Rounding::up, x, y);
}
inline double __ddiv_ru(double x, double y) {
  return emu::detail::divide(emu::detail::Rounding::up, x, y);
}
inline double __drcp_ru(double x) { return emu::detail::divide(emu::detail::Rounding::up, 1.0, x); }
inline double __dsqrt_ru(double x) {
  return emu::detail::square_root(emu::detail::Rounding::up, x);
}
inline double __fma_ru(double x, double y, double z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::up, x, y, z);
}

inline double __dadd_rd(double x, double y) {
  return emu::detail::add(emu::detail::Rounding::down, x, y);
}
inline double __dsub_rd(double x, double y) {
  return emu::detail::add(emu::detail::Rounding::down, x, -y);
}
inline double __dmul_rd(double x, double y) {
  return emu::detail::multiply(emu::detail::Rounding::down, x, y);
}
inline double __ddiv_rd(double x, double y) {
  return emu::detail::divide(emu::detail::Rounding::down, x, y);
}
inline double __drcp_rd(double x) {
  return emu::detail::divide(emu::detail::Rounding::down, 1.0, x);
}
inline double __dsqrt_rd(double x) {
  return emu::detail::square_root(emu::detail::Rounding::down, x);
}
inline double __fma_rd(double x, double y, double z) {
  return emu::detail::fused_multiply_add(emu::detail::Rounding::down, x, y, z);
}

inline float __frsqrt_rn(float x) { return emu::detail::reciprocal_square_root_rn(x); }
