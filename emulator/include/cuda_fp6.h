/// Floating point in 6 bits: e2m3 (2 bits of exponent, 3 of mantissa) and e3m2. Neither infinity
/// nor NaN exists: numbers too large become the largest one, and so does NaN. There is no
/// arithmetic with these types, on a GPU neither: they are converted.
///
/// What a GPU works out, this works out to the bit: tests/emulator/device/narrow_h200.txt.
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__

#define __CUDA_FP6_TYPES_EXIST__

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_fp8.h"
#include "device_types.h"
#include "emulator/few_bits.h"
#include "emulator/narrow_format.h"

using __nv_fp6_storage_t = __nv_fp8_storage_t;
using __nv_fp6x2_storage_t = __nv_fp8x2_storage_t;
using __nv_fp6x4_storage_t = __nv_fp8x4_storage_t;

enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

namespace emu::detail {

template <__nv_fp6_interpretation_t kind>
struct SixBitKind : KindInBytes {
  using Format =
      std::conditional_t<kind == __NV_E2M3, NarrowFormat<unsigned char, 2, 3, 0x1f, 0x1f, 0x1f>,
                         NarrowFormat<unsigned char, 3, 2, 0x1f, 0x1f, 0x1f>>;

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

constexpr __nv_fp6_storage_t __nv_cvt_double_to_fp6(double x, __nv_fp6_interpretation_t kind,
                                                    cudaRoundMode rounding) {
  return kind == __NV_E2M3 ? emu::detail::SixBitKind<__NV_E2M3>::encode(x, rounding)
                           : emu::detail::SixBitKind<__NV_E3M2>::encode(x, rounding);
}
constexpr __nv_fp6_storage_t __nv_cvt_float_to_fp6(float x, __nv_fp6_interpretation_t kind,
                                                   cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(x, kind, rounding);
}
constexpr __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(__half_raw x, __nv_fp6_interpretation_t kind,
                                                     cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(emu::detail::float_of(x), kind, rounding);
}
constexpr __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(__nv_bfloat16_raw x,
                                                         __nv_fp6_interpretation_t kind,
                                                         cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6(emu::detail::float_of(x), kind, rounding);
}

constexpr __nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(double2 v, __nv_fp6_interpretation_t kind,
                                                         cudaRoundMode rounding) {
  return static_cast<__nv_fp6x2_storage_t>(__nv_cvt_double_to_fp6(v.x, kind, rounding) |
                                           __nv_cvt_double_to_fp6(v.y, kind, rounding) << 8);
}
constexpr __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2 v, __nv_fp6_interpretation_t kind,
                                                        cudaRoundMode rounding) {
  return __nv_cvt_double2_to_fp6x2({v.x, v.y}, kind, rounding);
}
constexpr __nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(__half2_raw v,
                                                          __nv_fp6_interpretation_t kind,
                                                          cudaRoundMode rounding) {
  return __nv_cvt_double2_to_fp6x2(
      {emu::detail::float_of(__half_raw{v.x}), emu::detail::float_of(__half_raw{v.y})}, kind,
      rounding);
}
constexpr __nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(__nv_bfloat162_raw v,
                                                              __nv_fp6_interpretation_t kind,
                                                              cudaRoundMode rounding) {
  return __nv_cvt_double2_to_fp6x2({emu::detail::float_of(__nv_bfloat16_raw{v.x}),
                                    emu::detail::float_of(__nv_bfloat16_raw{v.y})},
                                   kind, rounding);
}

constexpr __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x, __nv_fp6_interpretation_t kind) {
  return {emu::detail::to_word(emu::detail::HalfFormat{},
                               kind == __NV_E2M3 ? emu::detail::SixBitKind<__NV_E2M3>::decode(x)
                                                 : emu::detail::SixBitKind<__NV_E3M2>::decode(x))};
}
constexpr __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t v,
                                                 __nv_fp6_interpretation_t kind) {
  return {__nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(v), kind).x,
          __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(v >> 8), kind).x};
}

struct alignas(1) __nv_fp6_e2m3
    : emu::detail::types::OneNumber<emu::detail::SixBitKind<__NV_E2M3>> {
  using OneNumber::OneNumber;
};
struct alignas(2) __nv_fp6x2_e2m3
    : emu::detail::types::TwoNumbers<emu::detail::SixBitKind<__NV_E2M3>> {
  using TwoNumbers::TwoNumbers;
};
struct alignas(4) __nv_fp6x4_e2m3
    : emu::detail::types::FourNumbers<emu::detail::SixBitKind<__NV_E2M3>> {
  using FourNumbers::FourNumbers;
};
struct alignas(1) __nv_fp6_e3m2
    : emu::detail::types::OneNumber<emu::detail::SixBitKind<__NV_E3M2>> {
  using OneNumber::OneNumber;
};
struct alignas(2) __nv_fp6x2_e3m2
    : emu::detail::types::TwoNumbers<emu::detail::SixBitKind<__NV_E3M2>> {
  using TwoNumbers::TwoNumbers;
};
struct alignas(4) __nv_fp6x4_e3m2
    : emu::detail::types::FourNumbers<emu::detail::SixBitKind<__NV_E3M2>> {
  using FourNumbers::FourNumbers;
};

#endif  // __CUDA_FP6_H__
