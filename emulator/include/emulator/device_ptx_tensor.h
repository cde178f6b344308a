/// @file
/// Inline PTX of tensor cores: products of a warp and of a warpgroup, matrices between shared
/// memory and registers, and rounding to tf32. Sources for all instructions: PTX ISA 8.8, chapters
/// 9.7.14, 9.7.15 and 9.7.9.21.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "emulator/device_ptx.h"
#include "emulator/device_ptx_memory.h"
#include "emulator/device_ptx_narrow.h"
#include "emulator/device_tensor.h"
#include "host_defines.h"

namespace emu::ptx {

/// .m64n8k16
template <int m_, int n_, int k_>
struct shape_ {
  static constexpr int m = m_, n = n_, k = k_;
};

struct tf32_ {};
struct e4m3_ {};
struct e5m2_ {};
struct satfinite_ {};
struct trans_ {};
struct rna_ {};

template <class Type>
inline constexpr tensor::Type kElement = is<Type, f16_>    ? tensor::Type::f16
                                         : is<Type, bf16_> ? tensor::Type::bf16
                                         : is<Type, tf32_> ? tensor::Type::tf32
                                         : is<Type, e4m3_> ? tensor::Type::e4m3
                                         : is<Type, e5m2_> ? tensor::Type::e5m2
                                         : is<Type, f32_>  ? tensor::Type::f32
                                         : is<Type, s8_>   ? tensor::Type::s8
                                         : is<Type, u8_>   ? tensor::Type::u8
                                                           : tensor::Type::s32;

// The operands of one instruction do not change while the lanes meet.
template <class Shape, bool saturates, tensor::Unit unit, class TypeD, class TypeA, class TypeB>
inline constexpr tensor::Shape kProduct = {
    .m = unit == tensor::Unit::warp ? Shape::m : tensor::kRowsOfWarp,
    .n = Shape::n,
    .k = Shape::k,
    .a = kElement<TypeA>,
    .b = kElement<TypeB>,
    .c = kElement<TypeD>,
    .unit = unit,
    .saturates = saturates};

/// Returns a lane's number of registers for its share of `elements`.
constexpr int registers_of(int elements, tensor::Type type) {
  constexpr int kLanes = 32, kBytes = 4;
  return elements * bytes_of(type) / (kLanes * kBytes);
}

template <class Shape, class Saturates, class TypeD, class TypeA, class TypeB, int d_count,
          int a_count, int b_count, int c_count>
__forceinline__ void mma(std::uint32_t (&d)[d_count], const std::uint32_t (&a)[a_count],
                         const std::uint32_t (&b)[b_count], const std::uint32_t (&c)[c_count]) {
  constexpr const tensor::Shape& kShape =
      kProduct<Shape, is<Saturates, satfinite_>, tensor::Unit::warp, TypeD, TypeA, TypeB>;
  static_assert(d_count == registers_of(kShape.m * kShape.n, kShape.c) && c_count == d_count &&
                    a_count == registers_of(kShape.m * kShape.k, kShape.a) &&
                    b_count == registers_of(kShape.n * kShape.k, kShape.b),
                "asm: these are not as many registers as mma.sync takes");
  ::emu::warp_multiply(kShape, a, b, c, d);
}

// Matrices of 8 x 8 16-bit elements. Lanes whose row is not used may have any address.

template <class Transposed, class Space, int count, bool kept, class Bits>
__forceinline__ void ldmatrix(std::uint32_t (&d)[count], Address<kept, Bits> address) {
  static_assert(count == 1 || count == 2 || count == 4, "asm: ldmatrix has 1, 2 or 4 registers");
  const void* row = nullptr;
  if (lane() < 8u * count) row = pointer_of_access<Space>(address);
  ::emu::detail::load_matrices<count>(row, d, is<Transposed, trans_>);
}

template <class Transposed, class Space, int count, bool kept, class Bits>
__forceinline__ void stmatrix(Address<kept, Bits> address, const std::uint32_t (&values)[count]) {
  static_assert(count == 1 || count == 2 || count == 4, "asm: stmatrix has 1, 2 or 4 registers");
  void* row = nullptr;
  if (lane() < 8u * count) row = pointer_of_access<Space>(address);
  ::emu::detail::store_matrices<count>(row, values, is<Transposed, trans_>);
}

// A warpgroup.

template <class First>
__forceinline__ void set_max_registers(First count) {
  ::emu::set_max_registers(static_cast<std::uint32_t>(count));
}
__forceinline__ void wgmma_fence() { ::emu::warpgroup_fence(); }
__forceinline__ void wgmma_commit_group() { ::emu::warpgroup_commit(); }
template <class First>
__forceinline__ void wgmma_wait_group(First all_but_newest) {
  ::emu::warpgroup_wait(get<std::uint32_t>(all_but_newest));
}

/// @param immediates  the signs of A and B, then, for operands in shared memory, whether k is the
///         row
template <class Shape, class Saturates, class TypeD, class TypeA, class TypeB,
          class... SaturatesLate, int d_count, class ADescriptor, class BDescriptor, class Adds,
          class... Immediates>
__forceinline__ void wgmma(std::uint32_t (&d)[d_count], ADescriptor a, BDescriptor b, Adds adds,
                           Immediates... immediates) {
  constexpr bool kSaturates = is<Saturates, satfinite_> || sizeof...(SaturatesLate) != 0;
  constexpr const tensor::Shape& kShape =
      kProduct<Shape, kSaturates, tensor::Unit::warpgroup, TypeD, TypeA, TypeB>;
  static_assert(d_count == registers_of(kShape.m * kShape.n, kShape.c),
                "asm: these are not as many registers as wgmma takes for D");
  const int given[] = {static_cast<int>(get<std::uint32_t>(immediates))..., 1, 1, 0, 0};
  constexpr std::size_t kCount = sizeof...(immediates);
  ::emu::WarpgroupOperands in = {nullptr, get<std::uint64_t>(a), get<std::uint64_t>(b),
                                 get<bool>(adds)};
  if constexpr (kCount >= 2) {
    in.a_sign = given[0];
    in.b_sign = given[1];
  }
  if constexpr (kCount >= 4) {
    in.a_order = given[2];
    in.b_order = given[3];
  }
  ::emu::warpgroup_multiply(kShape, in, d);
}

template <class Shape, class Saturates, class TypeD, class TypeA, class TypeB,
          class... SaturatesLate, int d_count, int a_count, class BDescriptor, class Adds,
          class... Immediates>
__forceinline__ void wgmma_of_registers(std::uint32_t (&d)[d_count],
                                        const std::uint32_t (&a)[a_count], BDescriptor b, Adds adds,
                                        Immediates... immediates) {
  constexpr bool kSaturates = is<Saturates, satfinite_> || sizeof...(SaturatesLate) != 0;
  constexpr const tensor::Shape& kShape =
      kProduct<Shape, kSaturates, tensor::Unit::warpgroup, TypeD, TypeA, TypeB>;
  static_assert(d_count == registers_of(kShape.m * kShape.n, kShape.c),
                "asm: these are not as many registers as wgmma takes for D");
  static_assert(a_count == registers_of(kShape.m * kShape.k, kShape.a),
                "asm: wgmma takes four registers for A");
  const int given[] = {static_cast<int>(get<std::uint32_t>(immediates))..., 1, 1, 0};
  constexpr std::size_t kCount = sizeof...(immediates);
  ::emu::WarpgroupOperands in = {a, 0, get<std::uint64_t>(b), get<bool>(adds)};
  if constexpr (kCount >= 2) {
    in.a_sign = given[0];
    in.b_sign = given[1];
  }
  if constexpr (kCount >= 3) in.b_order = given[2];
  ::emu::warpgroup_multiply(kShape, in, d);
}

// tf32: 10 bits of mantissa, in the upper bits of a float. An H200's cvt.rna keeps these bits of a
// NaN, even if they are infinity's; its cvt.rn and cvt.rz return the same NaN for all.

enum class ToTf32 : std::uint8_t { nearest_away, nearest_even, zero };

constexpr std::uint32_t to_tf32(std::uint32_t bits, ToTf32 rounding) {
  constexpr std::uint32_t kRest = 0x1fff, kSize = 0x7fffffff, kInfinity = 0x7f800000;
  const bool is_finite = (bits & kInfinity) != kInfinity, is_nan = (bits & kSize) > kInfinity;
  if (is_nan && rounding != ToTf32::nearest_away) return kSize & ~kRest;
  if (is_finite && rounding == ToTf32::nearest_away) bits += (kRest + 1) / 2;
  if (is_finite && rounding == ToTf32::nearest_even) bits += kRest / 2 + (bits >> 13 & 1);
  return bits & ~kRest;
}

template <class Round, class Limit, class Result, class First>
__forceinline__ void cvt_to_tf32(Result& d, First a) {
  constexpr ToTf32 kRounding = is<Round, rna_>  ? ToTf32::nearest_away
                               : is<Round, rn_> ? ToTf32::nearest_even
                                                : ToTf32::zero;
  constexpr std::uint32_t kSign = 0x80000000, kInfinity = 0x7f800000;
  std::uint32_t bits = __builtin_bit_cast(std::uint32_t, get<float>(a));
  if (is<Limit, relu_> && (bits & kSign) != 0 && (bits & ~kSign) <= kInfinity) bits = 0;
  set(d, to_tf32(bits, kRounding));
}

}  // namespace emu::ptx
