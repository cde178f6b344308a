/// Half precision: 5 bits of exponent, 10 of mantissa. The types, and everything CUDA does with
/// them; every function may be called on the host, too.
///
/// What a GPU works out, this works out to the bit: tests/emulator/device/narrow_h200.txt.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#define __CUDA_FP16_TYPES_EXIST__

#ifdef __cplusplus
#include "emulator/sixteen_bits.h"

#ifdef __CUDACC__
#include "emulator/device_atomics.h"
#include "emulator/device_memory.h"
#include "emulator/device_warp.h"
#endif

struct __nv_bfloat16;

struct alignas(2) __half_raw {
  unsigned short x;
};
struct alignas(4) __half2_raw {
  unsigned short x, y;
};

#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define EMU_CONVERTED false
#else
#define EMU_CONVERTED true
#endif
struct alignas(2) __half
    : emu::detail::types::SixteenBits<emu::detail::HalfFormat, __half_raw, EMU_CONVERTED> {
  using SixteenBits::SixteenBits;
  __half() = default;
  __half& operator=(const __half&) = default;
  __forceinline__ constexpr __half& operator=(const __half_raw& raw) {
    __x = raw.x;
    return *this;
  }
  __forceinline__ void operator=(const __half_raw& raw) volatile { __x = raw.x; }
  __forceinline__ void operator=(const volatile __half_raw& raw) volatile { __x = raw.x; }
  explicit __half(__nv_bfloat16 value);  // cuda_bf16.h
};

struct alignas(4) __half2 : emu::detail::types::PairOf<__half, __half2_raw> {
  using PairOf::PairOf;
  __half2() = default;
  __half2& operator=(const __half2&) = default;
  /// A temporary is copied whole, too (vector_types.h).
  template <class Same = __half2>
  __forceinline__ constexpr __half2& operator=(typename emu::detail::Identity<Same>::type&& value) {
    return *this = static_cast<const __half2&>(value);
  }
};

#include "emulator/half_conversions.h"

#ifdef __CUDA_NO_HALF_OPERATORS__
#define EMU_NO_OPERATORS
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define EMU_NO_PAIR_OPERATORS
#endif
#define EMU_NUMBER __half
#define EMU_PAIR __half2
#include "emulator/sixteen_bits_functions.inc"
#undef EMU_NUMBER
#undef EMU_PAIR
#undef EMU_NO_OPERATORS
#undef EMU_NO_PAIR_OPERATORS
#undef EMU_CONVERTED

#ifndef CUDA_NO_HALF
using half = __half;
using half2 = __half2;
#endif
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#else  // C has the bits alone
#include "host_defines.h"

typedef struct __align__(2) {
  unsigned short x;
}
__half_raw;
typedef struct __align__(4) {
  unsigned short x, y;
}
__half2_raw;
typedef __half_raw __half;
typedef __half2_raw __half2;
#endif  // __cplusplus

#endif  // __CUDA_FP16_H__
