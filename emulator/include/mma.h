/// Matrices of a warp and their product: nvcuda::wmma.
///
/// Sums are a Hopper's to the bit, and each lane has the elements that it has there:
/// tests/emulator/tensor/tensor_h200.txt. A load or a store is one access for the elements of a
/// register that are neighbours in memory (an accumulator: two of them), else one per element.
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "emulator/device_tensor.h"

/// The nearest number with 10 bits of mantissa; of two equally near ones the larger in size.
/// Of infinities and NaN, the upper bits as they are.
/// Source: PTX ISA 8.8, cvt.rna.tf32.f32; an H200.
__forceinline__ float __float_to_tf32(float x) {
  constexpr unsigned kHalf = 0x1000, kKept = ~0x1fffu, kInfinity = 0x7f800000;
  const auto bits = __builtin_bit_cast(unsigned, x);
  const bool is_finite = (bits & kInfinity) != kInfinity;
  return __builtin_bit_cast(float, (is_finite ? bits + kHalf : bits) & kKept);
}

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

namespace detail {

using emu::tensor::Place;
using emu::tensor::Shape;
using emu::tensor::Type;

template <class T>
struct Element;  // another type is not supported
template <>
struct Element<__half> {
  using Stored = __half;
  static constexpr Type kType = Type::f16;
};
template <>
struct Element<__nv_bfloat16> {
  using Stored = __nv_bfloat16;
  static constexpr Type kType = Type::bf16;
};
template <>
struct Element<precision::tf32> {
  using Stored = float;
  static constexpr Type kType = Type::tf32;
};
template <>
struct Element<signed char> {
  using Stored = signed char;
  static constexpr Type kType = Type::s8;
};
template <>
struct Element<unsigned char> {
  using Stored = unsigned char;
  static constexpr Type kType = Type::u8;
};
template <>
struct Element<float> {
  using Stored = float;
  static constexpr Type kType = Type::f32;
};
template <>
struct Element<int> {
  using Stored = int;
  static constexpr Type kType = Type::s32;
};

constexpr bool is_shape(int m, int n, int k, Type type) {
  if (type == Type::tf32) return m == 16 && n == 16 && k == 8;
  const bool has_size = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
  return has_size && (k == 16 || (type == Type::f32 && k == 8 && m == 16 && n == 16));
}

namespace types {  // no functions: a call with a fragment would find them (sixteen_bits.h)

/// What the three kinds of fragments have in common. An operand of halves has 16 elements, however
/// few there are: the rest repeats them.
template <int different, int repeated, class T, class Stored>
struct Elements {
  static constexpr int num_elements = different * repeated;
  static constexpr int num_storage_elements = num_elements;
  using element_type = T;
  using storage_element_type = Stored;
  Stored x[num_elements];

  static constexpr int kDifferent = different;
};

template <int elements, class T>
using Operand = Elements<elements, std::is_same_v<T, __half> ? 16 / elements : 1, T,
                         typename Element<T>::Stored>;

}  // namespace types

template <class T, int bytes>
using Words = std::conditional_t<
    bytes == 2, unsigned short,
    std::conditional_t<bytes == 4, unsigned, unsigned long long>> __attribute__((may_alias));

/// Moves the elements; place(i) says where element i is, and `together` of them may be neighbours.
template <bool loads, int together, class Elements, class Memory, class PlaceOf>
__forceinline__ void move(Elements& f, Memory* matrix, unsigned stride, bool by_rows,
                          PlaceOf place) {
  using Stored = typename Elements::storage_element_type;
  const auto at = [&](int i) {
    const Place p = place(i);
    return by_rows ? matrix + static_cast<std::size_t>(p.row) * stride + p.column
                   : matrix + static_cast<std::size_t>(p.column) * stride + p.row;
  };
  for (int i = 0; i < Elements::kDifferent; i += together) {
    Memory* const first = at(i);
    if constexpr (together > 1) {
      if (at(i + 1) == first + 1) {
        using Word = Words<Stored, together * sizeof(Stored)>;
        Word word;
        if constexpr (loads) {
          word = *reinterpret_cast<const Word*>(first);
          __builtin_memcpy(&f.x[i], &word, sizeof word);
        } else {
          __builtin_memcpy(&word, &f.x[i], sizeof word);
          *reinterpret_cast<Word*>(first) = word;
        }
        continue;
      }
    }
    for (int j = i; j < i + together; ++j) {
      if constexpr (loads)
        f.x[j] = *at(j);
      else
        *at(j) = f.x[j];
    }
  }
  for (int i = Elements::kDifferent; loads && i < Elements::num_elements; ++i)
    f.x[i] = f.x[i % Elements::kDifferent];
}

}  // namespace detail

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment;

template <int m, int n, int k, class T, class Layout>
class fragment<matrix_a, m, n, k, T, Layout> : public detail::types::Operand<m * k / 32, T> {
  static_assert(detail::is_shape(m, n, k, detail::Element<T>::kType), "wmma: no such shape");
};
template <int m, int n, int k, class T, class Layout>
class fragment<matrix_b, m, n, k, T, Layout> : public detail::types::Operand<n * k / 32, T> {
  static_assert(detail::is_shape(m, n, k, detail::Element<T>::kType), "wmma: no such shape");
};
template <int m, int n, int k, class T>
class fragment<accumulator, m, n, k, T> : public detail::types::Elements<m * n / 32, 1, T, T> {
  static_assert(std::is_same_v<T, __half> || std::is_same_v<T, float> || std::is_same_v<T, int>,
                "wmma: an accumulator is half, float or int");
  static_assert(detail::is_shape(m, n, k, detail::Element<T>::kType), "wmma: no such shape");
};

/// Sets all elements.
template <class Use, int m, int n, int k, class T, class Layout>
__forceinline__ void fill_fragment(
    fragment<Use, m, n, k, T, Layout>& f,
    const typename emu::detail::Identity<typename detail::Element<T>::Stored>::type& value) {
  for (auto& element : f.x) element = value;
}

/// Loads A or B. @param stride  elements from row to row, or column to column
template <int m, int n, int k, class T, class Layout>
__forceinline__ void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout>& f,
                                      const typename detail::Element<T>::Stored* matrix,
                                      unsigned stride) {
  constexpr detail::Type kType = detail::Element<T>::kType;
  constexpr detail::Shape kShape = {m, n, k, kType, kType, detail::Type::f32};
  const int lane = static_cast<int>(emu::lane_id());
  detail::move<true, 4 / emu::tensor::bytes_of(kType)>(
      f, matrix, stride, std::is_same_v<Layout, row_major>,
      [=](int i) { return place_in_a(kShape, lane, i); });
}
template <int m, int n, int k, class T, class Layout>
__forceinline__ void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout>& f,
                                      const typename detail::Element<T>::Stored* matrix,
                                      unsigned stride) {
  constexpr detail::Type kType = detail::Element<T>::kType;
  constexpr detail::Shape kShape = {m, n, k, kType, kType, detail::Type::f32};
  const int lane = static_cast<int>(emu::lane_id());
  detail::move<true, 4 / emu::tensor::bytes_of(kType)>(
      f, matrix, stride, std::is_same_v<Layout, row_major>,
      [=](int i) { return place_in_b(kShape, lane, i); });
}

namespace detail {

template <bool loads, int m, int n, int k, class T, class Memory>
__forceinline__ void move_accumulator(fragment<accumulator, m, n, k, T>& f, Memory* matrix,
                                      unsigned stride, layout_t layout) {
  constexpr Shape kShape = {m, n, k, Type::f16, Type::f16, Element<T>::kType};
  const int lane = static_cast<int>(emu::lane_id());
  move<loads, 2>(f, matrix, stride, layout == mem_row_major,
                 [=](int i) { return place_in_c(kShape, lane, i); });
}

}  // namespace detail

/// Loads C.
template <int m, int n, int k, class T>
__forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* matrix,
                                      unsigned stride, layout_t layout) {
  detail::move_accumulator<true>(f, matrix, stride, layout);
}
/// Stores D.
template <int m, int n, int k, class T>
__forceinline__ void store_matrix_sync(T* matrix, const fragment<accumulator, m, n, k, T>& f,
                                       unsigned stride, layout_t layout) {
  auto copy = f;
  detail::move_accumulator<false>(copy, matrix, stride, layout);
}

/// D = A B + C; d may be c. `satf` keeps integers at the ends instead of letting them wrap.
template <int m, int n, int k, class A, class B, class LayoutA, class LayoutB, class C, class D>
__forceinline__ void mma_sync(fragment<accumulator, m, n, k, D>& d,
                              const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                              const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                              const fragment<accumulator, m, n, k, C>& c, bool satf = false) {
  static_assert(std::is_same_v<A, B>, "wmma: A and B have different types");
  constexpr bool kIntegers = std::is_integral_v<A>;
  static_assert(std::is_same_v<C, D>,
                "wmma: the emulator does not support C and D of different types");
  static_assert(kIntegers ? std::is_same_v<C, int>
                          : std::is_same_v<C, float> ||
                                (std::is_same_v<C, __half> && std::is_same_v<A, __half>),
                "wmma: no such product");
  emu::warp_multiply({m, n, k, detail::Element<A>::kType, detail::Element<B>::kType,
                      detail::Element<C>::kType, emu::tensor::Unit::warp, satf && kIntegers},
                     a.x, b.x, c.x, d.x);
}

}  // namespace nvcuda::wmma

#endif
