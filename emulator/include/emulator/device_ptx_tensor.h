/// @file
/// Inline PTX of tensor cores: products of a warp and of a warpgroup, and matrices between shared
/// memory and registers. Source of all meanings: PTX ISA 8.8, chapters 9.7.14 and 9.7.15.
#pragma once

#include <cstdint>
#include <type_traits>

#include "emulator/device_ptx.h"
#include "emulator/device_ptx_memory.h"
#include "emulator/device_tensor.h"
#include "emulator/tensor_shape.h"
#include "host_defines.h"

namespace emu::ptx {

struct tf32_ {};
struct x1_ {};
struct x2_ {};
struct x4_ {};
struct trans_ {};

template <int m_, int n_, int k_>
struct Size {
  static constexpr int m = m_, n = n_, k = k_;
};
// clang-format off
using m16n8k4_ = Size<16, 8, 4>;
using m16n8k8_ = Size<16, 8, 8>;
using m16n8k16_ = Size<16, 8, 16>;
using m64n8k16_ = Size<64, 8, 16>;
using m64n16k16_ = Size<64, 16, 16>;
using m64n24k16_ = Size<64, 24, 16>;
using m64n32k16_ = Size<64, 32, 16>;
using m64n40k16_ = Size<64, 40, 16>;
using m64n48k16_ = Size<64, 48, 16>;
using m64n56k16_ = Size<64, 56, 16>;
using m64n64k16_ = Size<64, 64, 16>;
using m64n72k16_ = Size<64, 72, 16>;
using m64n80k16_ = Size<64, 80, 16>;
using m64n88k16_ = Size<64, 88, 16>;
using m64n96k16_ = Size<64, 96, 16>;
using m64n104k16_ = Size<64, 104, 16>;
using m64n112k16_ = Size<64, 112, 16>;
using m64n120k16_ = Size<64, 120, 16>;
using m64n128k16_ = Size<64, 128, 16>;
using m64n136k16_ = Size<64, 136, 16>;
using m64n144k16_ = Size<64, 144, 16>;
using m64n152k16_ = Size<64, 152, 16>;
using m64n160k16_ = Size<64, 160, 16>;
using m64n168k16_ = Size<64, 168, 16>;
using m64n176k16_ = Size<64, 176, 16>;
using m64n184k16_ = Size<64, 184, 16>;
using m64n192k16_ = Size<64, 192, 16>;
using m64n200k16_ = Size<64, 200, 16>;
using m64n208k16_ = Size<64, 208, 16>;
using m64n216k16_ = Size<64, 216, 16>;
using m64n224k16_ = Size<64, 224, 16>;
using m64n232k16_ = Size<64, 232, 16>;
using m64n240k16_ = Size<64, 240, 16>;
using m64n248k16_ = Size<64, 248, 16>;
using m64n256k16_ = Size<64, 256, 16>;
using m64n8k8_ = Size<64, 8, 8>;
using m64n16k8_ = Size<64, 16, 8>;
using m64n24k8_ = Size<64, 24, 8>;
using m64n32k8_ = Size<64, 32, 8>;
using m64n40k8_ = Size<64, 40, 8>;
using m64n48k8_ = Size<64, 48, 8>;
using m64n56k8_ = Size<64, 56, 8>;
using m64n64k8_ = Size<64, 64, 8>;
using m64n72k8_ = Size<64, 72, 8>;
using m64n80k8_ = Size<64, 80, 8>;
using m64n88k8_ = Size<64, 88, 8>;
using m64n96k8_ = Size<64, 96, 8>;
using m64n104k8_ = Size<64, 104, 8>;
using m64n112k8_ = Size<64, 112, 8>;
using m64n120k8_ = Size<64, 120, 8>;
using m64n128k8_ = Size<64, 128, 8>;
using m64n136k8_ = Size<64, 136, 8>;
using m64n144k8_ = Size<64, 144, 8>;
using m64n152k8_ = Size<64, 152, 8>;
using m64n160k8_ = Size<64, 160, 8>;
using m64n168k8_ = Size<64, 168, 8>;
using m64n176k8_ = Size<64, 176, 8>;
using m64n184k8_ = Size<64, 184, 8>;
using m64n192k8_ = Size<64, 192, 8>;
using m64n200k8_ = Size<64, 200, 8>;
using m64n208k8_ = Size<64, 208, 8>;
using m64n216k8_ = Size<64, 216, 8>;
using m64n224k8_ = Size<64, 224, 8>;
using m64n232k8_ = Size<64, 232, 8>;
using m64n240k8_ = Size<64, 240, 8>;
using m64n248k8_ = Size<64, 248, 8>;
using m64n256k8_ = Size<64, 256, 8>;
// clang-format on

/// Registers in braces, for results.
template <int count>
struct Results {
  std::uint32_t* at[count];
};
template <class... Registers>
__forceinline__ Results<sizeof...(Registers)> results(Registers&... registers) {
  static_assert((is<Registers, std::uint32_t> && ...), "asm: a register of 32 bits is wanted");
  return {{&registers...}};
}

/// Registers in braces, to be read.
template <int count>
struct Inputs {
  std::uint32_t at[count];
};
template <class... Registers>
__forceinline__ Inputs<sizeof...(Registers)> inputs(Registers... registers) {
  return {{get<std::uint32_t>(registers)...}};
}

template <class Type>
constexpr tensor::Type tensor_type() {
  if constexpr (is<Type, f16_>) return tensor::Type::f16;
  if constexpr (is<Type, bf16_>) return tensor::Type::bf16;
  if constexpr (is<Type, tf32_>) return tensor::Type::tf32;
  return tensor::Type::f32;
}

/// Registers of a lane that has its share of so many elements.
constexpr int registers_of(int elements, tensor::Type type) {
  constexpr int kLanes = 32, kRegisterBytes = 4;
  return elements * tensor::bytes_of(type) / kLanes / kRegisterBytes;
}

template <class Size, class Sum, class Type, int nd, int na, int nb, int nc>
__forceinline__ void mma(Results<nd> d, Inputs<na> a, Inputs<nb> b, Inputs<nc> c) {
  static constexpr tensor::Shape kShape = {
      Size::m, Size::n, Size::k, tensor_type<Type>(), tensor_type<Type>(), tensor_type<Sum>()};
  static_assert(na == registers_of(Size::m * Size::k, kShape.a) &&
                    nb == registers_of(Size::n * Size::k, kShape.b) &&
                    nc == registers_of(Size::m * Size::n, kShape.c) && nd == nc,
                "asm: mma has other numbers of registers");
  std::uint32_t sums[nd];
  ::emu::warp_multiply(kShape, a.at, b.at, c.at, sums);
  for (int i = 0; i < nd; ++i) *d.at[i] = sums[i];
}

template <class Count>
inline constexpr int matrices = is<Count, x4_>   ? 4
                                : is<Count, x2_> ? 2
                                                 : 1;

template <class Count, class Transposed, class Space, int n, bool kept, class Bits>
__forceinline__ void ldmatrix(Results<n> d, Address<kept, Bits> address) {
  static_assert(n == matrices<Count>, "asm: ldmatrix has another number of registers");
  const void* row = nullptr;
  if (::emu::lane_id() < 8u * n) row = pointer_of_access<shared_>(address);
  std::uint32_t words[n];
  detail::load_matrices<n>(row, words, is<Transposed, trans_>);
  for (int i = 0; i < n; ++i) *d.at[i] = words[i];
}
template <class Count, class Transposed, class Space, int n, bool kept, class Bits>
__forceinline__ void stmatrix(Address<kept, Bits> address, Inputs<n> words) {
  static_assert(n == matrices<Count>, "asm: stmatrix has another number of registers");
  void* row = nullptr;
  if (::emu::lane_id() < 8u * n) row = pointer_of_access<shared_>(address);
  detail::store_matrices<n>(row, words.at, is<Transposed, trans_>);
}

/// D = scale_a A scale_b B + (adds ? D : 0) of a warpgroup; A and B where descriptors say.
template <class Size, class Sum, class Type, int nd, class First, class Second, class Adds>
__forceinline__ void wgmma(Results<nd> d, First a, Second b, Adds adds, long long scale_a,
                           long long scale_b, long long transposes_a = 0,
                           long long transposes_b = 0) {
  constexpr int kWarps = 4;
  static constexpr tensor::Shape kShape = {Size::m / kWarps,
                                           Size::n,
                                           Size::k,
                                           tensor_type<Type>(),
                                           tensor_type<Type>(),
                                           tensor_type<Sum>(),
                                           tensor::Unit::warpgroup};
  static_assert(nd == registers_of(kShape.m * kShape.n, kShape.c),
                "asm: wgmma has another number of registers");
  ::emu::group_multiply({kShape, get<std::uint64_t>(a), get<std::uint64_t>(b), get<bool>(adds),
                         scale_a < 0, scale_b < 0, transposes_a != 0, transposes_b != 0, d.at});
}

}  // namespace emu::ptx
