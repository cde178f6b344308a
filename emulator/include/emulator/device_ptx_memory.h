/// @file
/// Inline PTX that reads and writes memory. Each load and store is one access of the statement's
/// width, counted and checked like that of any other expression.
/// Source for all instructions: PTX ISA 8.8, chapters 8 and 9.7.9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "emulator/device.h"
#include "emulator/device_atomics.h"
#include "emulator/device_ptx.h"
#include "emulator/groups.h"
#include "host_defines.h"
#include "vector_types.h"

extern "C" void emu_be_patient();  ///< lets other lanes run while a lane polls

namespace emu::ptx {

// State spaces.
struct global_ {};
struct shared_ {};
struct shared_cta_ {};
struct shared_cluster_ {};
struct const_ {};
struct local_ {};

// Memory orders and scopes.
struct weak_ {};
struct volatile_ {};
struct relaxed_ {};
struct acquire_ {};
struct release_ {};
struct acq_rel_ {};
struct sc_ {};
struct cta_ {};
struct cluster_ {};
struct gpu_ {};
struct gl_ {};
struct sys_ {};

struct nc_ {};
struct v2_ {};
struct v4_ {};

template <class Space>
inline constexpr bool is_shared_space =
    is<Space, shared_> || is<Space, shared_cta_> || is<Space, shared_cluster_>;

/// An address in brackets. g++ may neither remove nor merge accesses of a volatile statement, which
/// are `kept`.
template <bool kept, class Bits>
struct Address {
  Bits bits;
};

template <bool kept, class Bits, class Offset>
__forceinline__ Address<kept, Bits> at(Bits base, Offset offset) {
  return {static_cast<Bits>(base + static_cast<Bits>(offset))};
}

/// Converts an address of the space to a pointer. Addresses of shared memory have 32 bits, possibly
/// in wider registers; all others are pointers.
template <class Space, bool kept, class Bits>
__forceinline__ void* pointer(Address<kept, Bits> address) {
  if constexpr (is_shared_space<Space>) {
    static_assert(sizeof(Bits) >= sizeof(std::uint32_t), "asm: an address is too narrow");
    return ::emu::shared_pointer(static_cast<std::uint32_t>(address.bits));
  } else {
    static_assert(sizeof(Bits) == sizeof(void*),
                  "asm: an address of 32 bits is one of shared memory alone");
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address.bits));
  }
}

/// Converts an address for a load or a store. Assembly with emu_seen is removed in code without
/// counting (assembly_for_counting.hpp); in code with counting, it makes each statement an
/// instruction.
template <class Space, bool kept, class Bits>
__forceinline__ void* pointer_of_access(Address<kept, Bits> address) {
  void* const place = pointer<Space>(address);
  void* result;
  if constexpr (kept)
    __asm__ volatile("" : "=r"(result) : "0"(place));
  else
    __asm__ volatile("/* emu_seen */" : "=r"(result) : "0"(place));
  return result;
}

/// Returns a loaded value; the whole value is loaded, even if only a part is used.
template <bool kept, class Whole>
__forceinline__ void keep_whole(Whole whole) {
  if constexpr (kept)
    __asm__ volatile("" : : "X"(whole));
  else
    __asm__ volatile("/* emu_seen */" : : "X"(whole));
}

// An access is a single object of one of these types.
template <unsigned bytes>
struct Piece;
template <>
struct Piece<1> {
  using type = std::uint8_t;
};
template <>
struct Piece<2> {
  using type = std::uint16_t __attribute__((may_alias));
};
template <>
struct Piece<4> {
  using type = std::uint32_t __attribute__((may_alias));
};
template <>
struct Piece<8> {
  using type = std::uint64_t __attribute__((may_alias));
};
template <>
struct Piece<16> {
  using type = std::uint64_t __attribute__((may_alias, vector_size(16)));
};

template <class Vector>
inline constexpr unsigned elements = is<Vector, v4_>   ? 4
                                     : is<Vector, v2_> ? 2
                                                       : 1;

template <class Whole, class Raw>
__forceinline__ Raw element_of(Whole whole, unsigned i) {
  if constexpr (sizeof(Whole) == 16) {
    constexpr unsigned kPerHalf = 8 / sizeof(Raw);
    return static_cast<Raw>(whole[i / kPerHalf] >> (i % kPerHalf * bits<Raw>));
  } else {
    return static_cast<Raw>(whole >> (i * bits<Raw>));
  }
}

/// Memory orders of a single load or store.
template <class Order>
inline constexpr bool is_strong = !is<Order, none_> && !is<Order, weak_>;

template <class Scope>
__forceinline__ void order_memory() {
  ::emu::fence(!is<Scope, cta_>);
}

template <class Order, class Scope, class Space, class Cache, class Vector, class Type, bool kept,
          class Bits, class... Results>
__forceinline__ void load(Address<kept, Bits> address, Results&... d) {
  constexpr unsigned kBytes = sizeof(Type) * elements<Vector>;
  static_assert(kBytes <= 16, "asm: a load has at most 16 bytes");
  using Whole = typename Piece<kBytes>::type;
  const void* const place = pointer_of_access<Space>(address);
  Whole whole;
  if constexpr (is_strong<Order>) {
    whole = *static_cast<const volatile Whole*>(place);
  } else {
    if constexpr (kept && !is<Cache, nc_>) emu_be_patient();
    whole = *static_cast<const Whole*>(place);
  }
  keep_whole<kept>(whole);
  if constexpr (is<Order, acquire_>) order_memory<Scope>();
  using Raw = Unsigned<sizeof(Type)>;
  using Value = std::conditional_t<std::is_integral_v<Type>, Type, Raw>;
  unsigned i = 0;
  (set(d, static_cast<Value>(element_of<Whole, Raw>(whole, i++))), ...);
}

template <class Order, class Scope, class Space, class Vector, class Type, bool kept, class Bits,
          class... Values>
__forceinline__ void store_to(Address<kept, Bits> address, Values... values) {
  constexpr unsigned kBytes = sizeof(Type) * elements<Vector>;
  static_assert(kBytes <= 16, "asm: a store has at most 16 bytes");
  using Whole = typename Piece<kBytes>::type;
  using Raw = Unsigned<sizeof(Type)>;
  using Half = Unsigned<kBytes == 16 ? 8 : kBytes>;
  constexpr bool kIsNumber = std::is_integral_v<Type>;
  Half halves[2] = {};
  unsigned i = 0;
  ((halves[i * sizeof(Raw) / sizeof(Half)] =
        static_cast<Half>(halves[i * sizeof(Raw) / sizeof(Half)] |
                          static_cast<Half>(__builtin_bit_cast(Raw, get<Type, kIsNumber>(values)))
                              << (i * bits<Raw> % bits<Half>)),
    ++i),
   ...);
  Whole whole;
  if constexpr (kBytes == 16)
    whole = Whole{halves[0], halves[1]};
  else
    whole = halves[0];
  if constexpr (is<Order, release_>) order_memory<Scope>();
  void* const place = pointer_of_access<Space>(address);
  if constexpr (is_strong<Order>)
    *static_cast<volatile Whole*>(place) = whole;
  else
    *static_cast<Whole*>(place) = whole;
}

// Address spaces.

template <class Space, class Type, class Result, class First>
__forceinline__ void cvta(Result& d, First a) {
  using Bits = std::conditional_t<is<First, long long>, std::uint64_t, First>;
  set(d, static_cast<Type>(reinterpret_cast<std::uintptr_t>(
             pointer<Space>(Address<false, Bits>{static_cast<Bits>(a)}))));
}

template <class Space, class Type, class Result, class First>
__forceinline__ void cvta_to(Result& d, First a) {
  static_assert(sizeof(Type) == sizeof(void*), "asm: a generic address has 64 bits");
  const std::uintptr_t place = get<Type>(a);
  if constexpr (is_shared_space<Space>)
    set(d, static_cast<Type>(::emu::shared_address(reinterpret_cast<const void*>(place))));
  else
    set(d, static_cast<Type>(place));
}

template <class Space, class Result, class First>
__forceinline__ void isspacep(Result& d, First a) {
  const void* const place = reinterpret_cast<const void*>(get<std::uint64_t>(a));
  if constexpr (is<Space, shared_cluster_>)
    set(d, ::emu::is_cluster_shared(place));
  else if constexpr (is_shared_space<Space>)
    set(d, ::emu::is_shared(place));
  else if constexpr (is<Space, local_>)
    set(d, ::emu::is_local(place));
  else if constexpr (is<Space, const_>)
    set(d, ::emu::is_constant(place));
  else
    set(d,
        !::emu::is_cluster_shared(place) && !::emu::is_local(place) && !::emu::is_constant(place));
}

/// Ignores cache hints.
template <bool kept, class Bits>
__forceinline__ void hint(Address<kept, Bits>) {}
template <bool kept, class Bits, class Size>
__forceinline__ void hint(Address<kept, Bits>, Size) {}
template <class Result, class... Share>
__forceinline__ void cache_policy(Result& d, Share...) {
  set(d, std::uint64_t{0});
}

// Atomic operations.

struct add_ {};
struct inc_ {};
struct dec_ {};
struct min_ {};
struct max_ {};
struct exch_ {};

// 16-bit numbers, single and in pairs, as bits.
struct f16_ {};
struct bf16_ {};
struct f16x2_ {};
struct bf16x2_ {};

/// The library's type for the operation.
template <class Type>
struct OfLibrary {
  using type = Type;
};
template <>
struct OfLibrary<std::uint64_t> {
  using type = unsigned long long;
};
template <>
struct OfLibrary<std::int64_t> {
  using type = long long;
};
template <>
struct OfLibrary<f16_> {
  using type = std::uint16_t;
};
template <>
struct OfLibrary<bf16_> {
  using type = std::uint16_t;
};
template <>
struct OfLibrary<f16x2_> {
  using type = std::uint32_t;
};
template <>
struct OfLibrary<bf16x2_> {
  using type = std::uint32_t;
};

template <class Type>
using Atomic = typename OfLibrary<Type>::type;

// Returns a value, so that callers that use the value can be told from those that do not
// (block_form.cpp).
template <class Operation, class Type>
__forceinline__ Atomic<Type> changed(void* place, Atomic<Type> b) {
  using Value = Atomic<Type>;
  Value* const p = static_cast<Value*>(place);
  if constexpr (is<Type, f16_>)
    return detail::called(detail::atomic_add_f16(p, b));
  else if constexpr (is<Type, bf16_>)
    return detail::called(detail::atomic_add_bf16(p, b));
  else if constexpr (is<Type, f16x2_>)
    return detail::called(detail::atomic_add_f16x2(p, b));
  else if constexpr (is<Type, bf16x2_>)
    return detail::called(detail::atomic_add_bf16x2(p, b));
  else if constexpr (is<Operation, add_>)
    return detail::called(detail::atomic_add(p, b));
  else if constexpr (is<Operation, min_>)
    return detail::called(detail::atomic_min(p, b));
  else if constexpr (is<Operation, max_>)
    return detail::called(detail::atomic_max(p, b));
  else if constexpr (is<Operation, and_>)
    return detail::called(detail::atomic_and(p, b));
  else if constexpr (is<Operation, or_>)
    return detail::called(detail::atomic_or(p, b));
  else if constexpr (is<Operation, xor_>)
    return detail::called(detail::atomic_xor(p, b));
  else if constexpr (is<Operation, exch_>)
    return detail::called(detail::atomic_exchange(p, b));
  else if constexpr (is<Operation, inc_>)
    return detail::called(detail::atomic_increment(p, b));
  else
    return detail::called(detail::atomic_decrement(p, b));
}

template <class Order, class Scope>
__forceinline__ void order_before() {
  if constexpr (is<Order, release_> || is<Order, acq_rel_>) order_memory<Scope>();
}
template <class Order, class Scope>
__forceinline__ void order_after() {
  if constexpr (is<Order, acquire_> || is<Order, acq_rel_>) order_memory<Scope>();
}

template <class Order, class Scope, class Space, class Operation, class Type, class Result,
          bool kept, class Bits, class Second>
__forceinline__ void atom(Result& d, Address<kept, Bits> address, Second b) {
  order_before<Order, Scope>();
  const Atomic<Type> old = changed<Operation, Type>(pointer<Space>(address), get<Atomic<Type>>(b));
  order_after<Order, Scope>();
  set(d, old);
}

template <class Order, class Scope, class Space, class Operation, class Type, bool kept, class Bits,
          class Second>
__forceinline__ void red(Address<kept, Bits> address, Second b) {
  order_before<Order, Scope>();
  changed<Operation, Type>(pointer<Space>(address), get<Atomic<Type>>(b));
}

template <class Order, class Scope, class Space, class Type, class Result, bool kept, class Bits,
          class Second, class Third>
__forceinline__ void atom_cas(Result& d, Address<kept, Bits> address, Second expected,
                              Third value) {
  using Value = Atomic<Type>;
  order_before<Order, Scope>();
  const Value old = detail::called(detail::atomic_compare_and_swap(
      static_cast<Value*>(pointer<Space>(address)), get<Value>(expected), get<Value>(value)));
  order_after<Order, Scope>();
  set(d, old);
}

/// Adds each element atomically, but not the vector as a whole.
template <class Order, class Scope, class Space, class Vector, bool kept, class Bits,
          class... Values>
__forceinline__ void red_vector(Address<kept, Bits> address, Values... values) {
  using Floats = std::conditional_t<is<Vector, v2_>, float2, float4>;
  order_before<Order, Scope>();
  detail::atomic_add(static_cast<Floats*>(pointer<Space>(address)), Floats{get<float>(values)...});
}

}  // namespace emu::ptx
