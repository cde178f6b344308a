/// Floating point in 4 bits: e2m1 (2 bits of exponent, 1 of mantissa). Neither infinity nor NaN
/// exists: numbers too large become the largest one, and so does NaN. There is no arithmetic with
/// these types, on a GPU neither: they are converted.
///
/// What a GPU works out, this works out to the bit: tests/emulator/device/narrow_h200.txt.
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#define __CUDA_FP4_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_fp8.h"
#include "device_types.h"
#include "emulator/few_bits.h"
#include "emulator/narrow_format.h"

using __nv_fp4_storage_t = __nv_fp8_storage_t;
using __nv_fp4x2_storage_t = __nv_fp8_storage_t;
using __nv_fp4x4_storage_t = __nv_fp8x2_storage_t;

enum __nv_fp4_interpretation_t { __NV_E2M1 };

namespace emu::detail {

template <__nv_fp4_interpretation_t kind>
struct FourBitKind {
  using One = __nv_fp4_storage_t;
  using Two = __nv_fp4x2_storage_t;
  using Four = __nv_fp4x4_storage_t;
  static constexpr int kStride = 4;
  using Format = NarrowFormat<unsigned char, 2, 1, 0x7, 0x7, 0x7>;

  template <class Real>
  static constexpr One encode(Real value, cudaRoundMode rounding = cudaRoundNearest) {
    return detail::encode<Format>(rounding == cudaRoundZero ? Rounding::zero : Rounding::nearest,
                                  double{value});
  }
  static constexpr float decode(One bits) {
    return static_cast<float>(detail::decode<Format>(bits));
  }
  static constexpr bool is_true(One bits) { return (bits & (Format::kSign - 1)) != 0; }
};

}  // namespace emu::detail

constexpr __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t,
                                                    cudaRoundMode rounding) {
  return emu::detail::FourBitKind<__NV_E2M1>::encode(x, rounding);
}
constexpr __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t kind,
                                                   cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(x, kind, rounding);
}
constexpr __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x, __nv_fp4_interpretation_t kind,
                                                     cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(emu::detail::float_of(x), kind, rounding);
}
constexpr __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(__nv_bfloat16_raw x,
                                                         __nv_fp4_interpretation_t kind,
                                                         cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4(emu::detail::float_of(x), kind, rounding);
}

constexpr __nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(double2 v, __nv_fp4_interpretation_t kind,
                                                         cudaRoundMode rounding) {
  return static_cast<__nv_fp4x2_storage_t>(__nv_cvt_double_to_fp4(v.x, kind, rounding) |
                                           __nv_cvt_double_to_fp4(v.y, kind, rounding) << 4);
}
constexpr __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2 v, __nv_fp4_interpretation_t kind,
                                                        cudaRoundMode rounding) {
  return __nv_cvt_double2_to_fp4x2({v.x, v.y}, kind, rounding);
}
constexpr __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(__half2_raw v,
                                                          __nv_fp4_interpretation_t kind,
                                                          cudaRoundMode rounding) {
  return __nv_cvt_double2_to_fp4x2(
      {emu::detail::float_of(__half_raw{v.x}), emu::detail::float_of(__half_raw{v.y})}, kind,
      rounding);
}
constexpr __nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(__nv_bfloat162_raw v,
                                                              __nv_fp4_interpretation_t kind,
                                                              cudaRoundMode rounding) {
  return __nv_cvt_double2_to_fp4x2({emu::detail::float_of(__nv_bfloat16_raw{v.x}),
                                    emu::detail::float_of(__nv_bfloat16_raw{v.y})},
                                   kind, rounding);
}

constexpr __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t) {
  return {emu::detail::to_word(emu::detail::HalfFormat{},
                               emu::detail::FourBitKind<__NV_E2M1>::decode(x))};
}
constexpr __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t v,
                                                 __nv_fp4_interpretation_t kind) {
  return {__nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(v & 0xf), kind).x,
          __nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(v >> 4), kind).x};
}

struct alignas(1) __nv_fp4_e2m1
    : emu::detail::types::OneNumber<emu::detail::FourBitKind<__NV_E2M1>> {
  using OneNumber::OneNumber;
};
struct alignas(1) __nv_fp4x2_e2m1
    : emu::detail::types::TwoNumbers<emu::detail::FourBitKind<__NV_E2M1>> {
  using TwoNumbers::TwoNumbers;
};
struct alignas(2) __nv_fp4x4_e2m1
    : emu::detail::types::FourNumbers<emu::detail::FourBitKind<__NV_E2M1>> {
  using FourNumbers::FourNumbers;
};

#endif  // __CUDA_FP4_H__
