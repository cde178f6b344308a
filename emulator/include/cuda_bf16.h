/// bfloat16: 8 bits of exponent, 7 of mantissa, the upper half of a float. The types, and
/// everything CUDA does with them; every function may be called on the host, too.
///
/// What a GPU works out, this works out to the bit: tests/emulator/device/narrow_h200.txt.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"

#ifdef __cplusplus

struct alignas(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct alignas(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define EMU_CONVERTED false
#else
#define EMU_CONVERTED true
#endif
struct alignas(2) __nv_bfloat16
    : emu::detail::types::SixteenBits<emu::detail::Bfloat16Format, __nv_bfloat16_raw,
                                      EMU_CONVERTED> {
  using SixteenBits::SixteenBits;
  __nv_bfloat16() = default;
  __nv_bfloat16& operator=(const __nv_bfloat16&) = default;
  __forceinline__ constexpr __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) {
    __x = raw.x;
    return *this;
  }
  __forceinline__ void operator=(const __nv_bfloat16_raw& raw) volatile { __x = raw.x; }
  __forceinline__ void operator=(const volatile __nv_bfloat16_raw& raw) volatile { __x = raw.x; }
  explicit __nv_bfloat16(__half value)
      : SixteenBits(__nv_bfloat16_raw{emu::detail::to_word(Format{}, __half2float(value))}) {}
};
inline __half::__half(__nv_bfloat16 value)
    : SixteenBits(__half_raw{emu::detail::to_word(Format{}, emu::detail::float_of(value))}) {}

struct alignas(4) __nv_bfloat162 : emu::detail::types::PairOf<__nv_bfloat16, __nv_bfloat162_raw> {
  using PairOf::PairOf;
  __nv_bfloat162() = default;
  __nv_bfloat162& operator=(const __nv_bfloat162&) = default;
  /// A temporary is copied whole, too (vector_types.h).
  template <class Same = __nv_bfloat162>
  __forceinline__ constexpr __nv_bfloat162& operator=(
      typename emu::detail::Identity<Same>::type&& value) {
    return *this = static_cast<const __nv_bfloat162&>(value);
  }
};

#include "emulator/bfloat16_conversions.h"

#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define EMU_NO_OPERATORS
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define EMU_NO_PAIR_OPERATORS
#endif
#define EMU_NUMBER __nv_bfloat16
#define EMU_PAIR __nv_bfloat162
#include "emulator/sixteen_bits_functions.inc"
#undef EMU_NUMBER
#undef EMU_PAIR
#undef EMU_NO_OPERATORS
#undef EMU_NO_PAIR_OPERATORS
#undef EMU_CONVERTED

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#else   // C has the bits alone
typedef struct __align__(2) {
  unsigned short x;
}
__nv_bfloat16_raw;
typedef struct __align__(4) {
  unsigned short x, y;
}
__nv_bfloat162_raw;
typedef __nv_bfloat16_raw __nv_bfloat16;
typedef __nv_bfloat162_raw __nv_bfloat162;
#endif  // __cplusplus

#endif  // __CUDA_BF16_H__
