/// Floating point in 8 bits: e4m3 (4 bits of exponent, 3 of mantissa, no infinity), e5m2, and e8m0,
/// the powers of 2 that scale others. There is no arithmetic with these types, on a GPU neither:
/// they are converted.
///
/// What a GPU works out, this works out to the bit: tests/emulator/device/narrow_h200.txt.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "emulator/eight_bits.h"
#include "emulator/few_bits.h"

struct alignas(1) __nv_fp8_e4m3
    : emu::detail::types::OneNumber<emu::detail::EightBitKind<__NV_E4M3>> {
  using OneNumber::OneNumber;
};
struct alignas(2) __nv_fp8x2_e4m3
    : emu::detail::types::TwoNumbers<emu::detail::EightBitKind<__NV_E4M3>> {
  using TwoNumbers::TwoNumbers;
};
struct alignas(4) __nv_fp8x4_e4m3
    : emu::detail::types::FourNumbers<emu::detail::EightBitKind<__NV_E4M3>> {
  using FourNumbers::FourNumbers;
};
struct alignas(1) __nv_fp8_e5m2
    : emu::detail::types::OneNumber<emu::detail::EightBitKind<__NV_E5M2>> {
  using OneNumber::OneNumber;
};
struct alignas(2) __nv_fp8x2_e5m2
    : emu::detail::types::TwoNumbers<emu::detail::EightBitKind<__NV_E5M2>> {
  using TwoNumbers::TwoNumbers;
};
struct alignas(4) __nv_fp8x4_e5m2
    : emu::detail::types::FourNumbers<emu::detail::EightBitKind<__NV_E5M2>> {
  using FourNumbers::FourNumbers;
};
struct alignas(1) __nv_fp8_e8m0 : emu::detail::types::OneNumber<emu::detail::ScaleKind> {
  using OneNumber::OneNumber;
};
struct alignas(2) __nv_fp8x2_e8m0 : emu::detail::types::TwoNumbers<emu::detail::ScaleKind> {
  using TwoNumbers::TwoNumbers;
  explicit constexpr operator __nv_bfloat162() const {
    return {at<__nv_bfloat16>(0), at<__nv_bfloat16>(1)};
  }
};
struct alignas(4) __nv_fp8x4_e8m0 : emu::detail::types::FourNumbers<emu::detail::ScaleKind> {
  using FourNumbers::FourNumbers;
};

#endif  // __CUDA_FP8_H__
