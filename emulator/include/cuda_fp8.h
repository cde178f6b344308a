/// Floating point in 8 bits: e4m3 (4 bits of exponent, 3 of mantissa, no infinity) and e5m2. There
/// is no arithmetic with these types, on a GPU neither: they are converted. Scales, e8m0, are
/// missing.
///
/// What a GPU works out, this works out to the bit: tests/emulator/device/narrow_h200.txt.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "emulator/eight_bits.h"

struct alignas(1) __nv_fp8_e4m3 : emu::detail::EightBits<__NV_E4M3> {
  using EightBits::EightBits;
};
struct alignas(2) __nv_fp8x2_e4m3 : emu::detail::TwoOfEightBits<__NV_E4M3> {
  using TwoOfEightBits::TwoOfEightBits;
};
struct alignas(4) __nv_fp8x4_e4m3 : emu::detail::FourOfEightBits<__NV_E4M3> {
  using FourOfEightBits::FourOfEightBits;
};
struct alignas(1) __nv_fp8_e5m2 : emu::detail::EightBits<__NV_E5M2> {
  using EightBits::EightBits;
};
struct alignas(2) __nv_fp8x2_e5m2 : emu::detail::TwoOfEightBits<__NV_E5M2> {
  using TwoOfEightBits::TwoOfEightBits;
};
struct alignas(4) __nv_fp8x4_e5m2 : emu::detail::FourOfEightBits<__NV_E5M2> {
  using FourOfEightBits::FourOfEightBits;
};

#endif  // __CUDA_FP8_H__
