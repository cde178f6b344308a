/// @file
/// The atomic functions that nvcc has built in, __nv_atomic_...: with an order and a scope, for
/// objects of 1 to 16 bytes. Loads and stores count as loads and stores, all others as atomic
/// operations.
///
/// As in the rest of the library, every operation holds for the whole machine. Its order and its
/// scope become fences before and behind it, by which the hazard checker goes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "emulator/device.h"
#include "emulator/device_atomics.h"
#include "host_defines.h"
#include "vector_types.h"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};

enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

// This namespace is not emu::detail, which the compiler searches when a program calls a function
// of its own, such as bits_of, with a __half: that type's base class is there.
namespace emu::detail::nv_atomics {

// Calls that remain when g++ has left out what cannot be reached: nvcc's refusals.
[[noreturn, gnu::error("atomic operation's memory order argument is not an integer literal")]] void
refuse_order();
[[noreturn, gnu::error("atomic operation's scope argument is not an integer literal")]] void
refuse_scope();
[[noreturn, gnu::error("invalid memory order value for atomic operations")]] void
refuse_order_value();
[[noreturn, gnu::error("invalid thread scope value for atomic operations")]] void
refuse_scope_value();
[[noreturn, gnu::error("atomic load's memory order cannot be release or acq_rel")]] void
refuse_load_order();
[[noreturn, gnu::error("atomic store's memory order cannot be consume, acquire or acq_rel")]] void
refuse_store_order();

/// Refuses what nvcc refuses. Without an optimiser, g++ does not know which arguments are literals.
__forceinline__ void check_order_and_scope([[maybe_unused]] int order, [[maybe_unused]] int scope) {
#ifdef __OPTIMIZE__
  if (!__builtin_constant_p(order))
    refuse_order();
  else if (order < __NV_ATOMIC_RELAXED || order > __NV_ATOMIC_SEQ_CST)
    refuse_order_value();
  if (!__builtin_constant_p(scope))
    refuse_scope();
  else if (scope < __NV_THREAD_SCOPE_THREAD || scope > __NV_THREAD_SCOPE_SYSTEM)
    refuse_scope_value();
#endif
}

__forceinline__ void fence_of(int scope) {
  if (scope != __NV_THREAD_SCOPE_THREAD) emu::fence(scope != __NV_THREAD_SCOPE_BLOCK);
}
__forceinline__ void fence_before(int order, int scope) {
  if (order >= __NV_ATOMIC_RELEASE) fence_of(scope);
}
__forceinline__ void fence_behind(int order, int scope) {
  if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) fence_of(scope);
}

/// The unsigned integer of a number of bytes.
template <unsigned bytes>
struct Bits;
template <>
struct Bits<1> {
  using type = std::uint8_t;
};
template <>
struct Bits<2> {
  using type = std::uint16_t;
};
template <>
struct Bits<4> {
  using type = unsigned;
};
template <>
struct Bits<8> {
  using type = unsigned long long;
};

/// The type that the library has an operation for: int for every signed integer of 4 bytes, ...
template <class T, bool is_signed = std::is_signed_v<T>>
using Counterpart = std::conditional_t<
    std::is_floating_point_v<T>, T,
    std::conditional_t<is_signed, std::conditional_t<sizeof(T) == 4, int, long long>,
                       typename Bits<sizeof(T)>::type>>;

/// What the functions for numbers take.
template <class T>
using IfInteger = std::enable_if_t<std::is_integral_v<T>, int>;
/// A parameter from which no type is deduced.
template <class T>
using Given = typename Identity<T>::type;

/// A kind of operation: the types that nvcc takes for it.
struct OfSums {
  template <class T>
  static constexpr void require() {
    static_assert(std::is_floating_point_v<T> || sizeof(T) == 4 || !std::is_signed_v<T>,
                  "atomic operations add and sub are not valid on signed integer of size 8");
  }
};
struct OfExtremes {
  template <class T>
  static constexpr void require() {
    static_assert(!std::is_floating_point_v<T>,
                  "atomic operations min and max are not supported on any floating-point types");
  }
};
struct OfBits {
  template <class T>
  static constexpr void require() {
    static_assert(!std::is_floating_point_v<T>,
                  "for a logical atomic operation, the first argument cannot be any "
                  "floating-point types");
  }
};

// The operations. Each changes a word and returns what was there.
struct Add : OfSums {
  template <class T>
  static __forceinline__ T change(T* word, T value) {
    return called(atomic_add(word, value));
  }
};
struct Subtract : OfSums {
  template <class T>
  static __forceinline__ T change(T* word, T value) {
    if constexpr (std::is_floating_point_v<T>)
      return called(atomic_add(word, -value));
    else
      return called(
          atomic_add(word, static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value))));
  }
};
struct And : OfBits {
  template <class T>
  static __forceinline__ T change(T* word, T value) {
    return called(atomic_and(word, value));
  }
};
struct Or : OfBits {
  template <class T>
  static __forceinline__ T change(T* word, T value) {
    return called(atomic_or(word, value));
  }
};
struct Xor : OfBits {
  template <class T>
  static __forceinline__ T change(T* word, T value) {
    return called(atomic_xor(word, value));
  }
};
struct Min : OfExtremes {
  template <class T>
  static __forceinline__ T change(T* word, T value) {
    return called(atomic_min(word, value));
  }
};
struct Max : OfExtremes {
  template <class T>
  static __forceinline__ T change(T* word, T value) {
    return called(atomic_max(word, value));
  }
};

/// Refuses types of objects that no atomic operation takes. A class, so that it does so before
/// anything else is wrong with them.
template <class T>
struct Object {
  static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                "the object of an atomic operation is neither const nor volatile");
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                "generic nv atomic functions are valid only on objects of size 1, 2, 4, 8 and 16 "
                "bytes");
  static_assert(__is_trivially_copyable(T), "an atomic operation moves its object bit by bit");
  static constexpr bool is_taken = true;
};

template <class To, class T>
__forceinline__ To* place_of(T* address) {
  return reinterpret_cast<To*>(address);
}

/// A value's bits, whose copy is no access of the program's.
template <class T>
__forceinline__ typename Bits<sizeof(T)>::type bits_of(const T& value) {
  return __builtin_bit_cast(typename Bits<sizeof(T)>::type, value);
}

template <class Operation, class T>
__forceinline__ T nv_fetch(T* address, Given<T> value, int order, int scope) {
  static_assert(Object<T>::is_taken);
  static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                "atomic operations and, or, xor, add, sub, min and max are valid only on objects "
                "of size 4, or 8");
  Operation::template require<T>();
  using Word = Counterpart<T>;
  check_order_and_scope(order, scope);
  fence_before(order, scope);
  const Word old = Operation::change(place_of<Word>(address), static_cast<Word>(value));
  fence_behind(order, scope);
  return static_cast<T>(old);
}

template <class T>
__forceinline__ T nv_load(T* address, int order, int scope) {
  static_assert(Object<T>::is_taken);
  check_order_and_scope(order, scope);
#ifdef __OPTIMIZE__
  if (order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL) refuse_load_order();
#endif
  if (order == __NV_ATOMIC_SEQ_CST) fence_of(scope);
  T value;
  if constexpr (sizeof(T) == 16) {
    atomic_load_16(place_of<T>(address), &value);
  } else {
    using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, typename Bits<sizeof(T)>::type>;
    value = __builtin_bit_cast(T, called(atomic_load(place_of<const Word>(address))));
  }
  fence_behind(order, scope);
  return value;
}

template <class T>
__forceinline__ void nv_store(T* address, Given<T> value, int order, int scope) {
  static_assert(Object<T>::is_taken);
  check_order_and_scope(order, scope);
#ifdef __OPTIMIZE__
  if (order == __NV_ATOMIC_CONSUME || order == __NV_ATOMIC_ACQUIRE || order == __NV_ATOMIC_ACQ_REL)
    refuse_store_order();
#endif
  fence_before(order, scope);
  if constexpr (sizeof(T) == 16) {
    atomic_store_16(place_of<T>(address), &value);
  } else {
    using Word = std::conditional_t<sizeof(T) == 8, std::uint64_t, typename Bits<sizeof(T)>::type>;
    atomic_store(place_of<Word>(address), __builtin_bit_cast(Word, value));
  }
  if (order == __NV_ATOMIC_SEQ_CST) fence_of(scope);
}

template <class T>
__forceinline__ T nv_exchange(T* address, Given<T> value, int order, int scope) {
  static_assert(Object<T>::is_taken);
  static_assert(sizeof(T) >= 4,
                "atomic exchange is valid only on objects of size 4, 8 or 16 bytes");
  check_order_and_scope(order, scope);
  fence_before(order, scope);
  T old;
  if constexpr (sizeof(T) == 16)
    atomic_exchange_16(place_of<T>(address), &value, &old);
  else
    old = __builtin_bit_cast(
        T,
        called(atomic_exchange(place_of<typename Bits<sizeof(T)>::type>(address), bits_of(value))));
  fence_behind(order, scope);
  return old;
}

/// Compares bits. Where they differ, `expected` gets what was found.
template <class T>
__forceinline__ bool nv_compare_exchange(T* address, Given<T>* expected, Given<T> desired,
                                         int success, int failure, int scope) {
  static_assert(Object<T>::is_taken);
  static_assert(sizeof(T) >= 2, "atomic CAS is valid only on objects of size 2, 4, 8 or 16 bytes");
  check_order_and_scope(success, scope);
  check_order_and_scope(failure, scope);
  // A device's instruction has one order, whether it swaps or not.
  const bool acquires = (success != __NV_ATOMIC_RELAXED && success != __NV_ATOMIC_RELEASE) ||
                        (failure != __NV_ATOMIC_RELAXED && failure != __NV_ATOMIC_RELEASE);
  if (success >= __NV_ATOMIC_RELEASE || failure >= __NV_ATOMIC_RELEASE) fence_of(scope);
  const T guess = *expected;
  T old;
  if constexpr (sizeof(T) == 16)
    atomic_compare_and_swap_16(place_of<T>(address), &guess, &desired, &old);
  else
    old = __builtin_bit_cast(
        T, called(atomic_compare_and_swap(place_of<typename Bits<sizeof(T)>::type>(address),
                                          bits_of(guess), bits_of(desired))));
  if (acquires) fence_of(scope);
  const bool swaps = __builtin_memcmp(&old, &guess, sizeof(T)) == 0;
  if (!swaps) *expected = old;
  return swaps;
}

}  // namespace emu::detail::nv_atomics

template <class T>
__forceinline__ void __nv_atomic_load(T* address, emu::detail::nv_atomics::Given<T>* value,
                                      int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *value = emu::detail::nv_atomics::nv_load(address, order, scope);
}
template <class T, emu::detail::nv_atomics::IfInteger<T> = 0>
__forceinline__ T __nv_atomic_load_n(T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_load(address, order, scope);
}
template <class T>
__forceinline__ void __nv_atomic_store(T* address, const emu::detail::nv_atomics::Given<T>* value,
                                       int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_store(address, *value, order, scope);
}
template <class T, emu::detail::nv_atomics::IfInteger<T> = 0>
__forceinline__ void __nv_atomic_store_n(T* address, emu::detail::nv_atomics::Given<T> value,
                                         int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_store(address, value, order, scope);
}
template <class T>
__forceinline__ void __nv_atomic_exchange(T* address,
                                          const emu::detail::nv_atomics::Given<T>* value,
                                          emu::detail::nv_atomics::Given<T>* old, int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *old = emu::detail::nv_atomics::nv_exchange(address, *value, order, scope);
}
template <class T, emu::detail::nv_atomics::IfInteger<T> = 0>
__forceinline__ T __nv_atomic_exchange_n(T* address, emu::detail::nv_atomics::Given<T> value,
                                         int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_exchange(address, value, order, scope);
}
/// Weak comparisons are strong ones, as on a device.
template <class T>
__forceinline__ bool __nv_atomic_compare_exchange(T* address,
                                                  emu::detail::nv_atomics::Given<T>* expected,
                                                  const emu::detail::nv_atomics::Given<T>* desired,
                                                  bool, int success, int failure,
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_compare_exchange(address, expected, *desired, success, failure,
                                                      scope);
}
template <class T, emu::detail::nv_atomics::IfInteger<T> = 0>
__forceinline__ bool __nv_atomic_compare_exchange_n(T* address,
                                                    emu::detail::nv_atomics::Given<T>* expected,
                                                    emu::detail::nv_atomics::Given<T> desired, bool,
                                                    int success, int failure,
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_compare_exchange(address, expected, desired, success, failure,
                                                      scope);
}

template <class T>
__forceinline__ T __nv_atomic_fetch_add(T* address, emu::detail::nv_atomics::Given<T> value,
                                        int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Add>(address, value, order,
                                                                         scope);
}
template <class T>
__forceinline__ T __nv_atomic_fetch_sub(T* address, emu::detail::nv_atomics::Given<T> value,
                                        int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Subtract>(address, value, order,
                                                                              scope);
}
template <class T>
__forceinline__ T __nv_atomic_fetch_and(T* address, emu::detail::nv_atomics::Given<T> value,
                                        int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::And>(address, value, order,
                                                                         scope);
}
template <class T>
__forceinline__ T __nv_atomic_fetch_or(T* address, emu::detail::nv_atomics::Given<T> value,
                                       int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Or>(address, value, order,
                                                                        scope);
}
template <class T>
__forceinline__ T __nv_atomic_fetch_xor(T* address, emu::detail::nv_atomics::Given<T> value,
                                        int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Xor>(address, value, order,
                                                                         scope);
}
template <class T>
__forceinline__ T __nv_atomic_fetch_min(T* address, emu::detail::nv_atomics::Given<T> value,
                                        int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Min>(address, value, order,
                                                                         scope);
}
template <class T>
__forceinline__ T __nv_atomic_fetch_max(T* address, emu::detail::nv_atomics::Given<T> value,
                                        int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Max>(address, value, order,
                                                                         scope);
}

// The same without a result.
template <class T>
__forceinline__ void __nv_atomic_add(T* address, emu::detail::nv_atomics::Given<T> value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Add>(address, value, order, scope);
}
template <class T>
__forceinline__ void __nv_atomic_sub(T* address, emu::detail::nv_atomics::Given<T> value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Subtract>(address, value, order,
                                                                       scope);
}
template <class T>
__forceinline__ void __nv_atomic_and(T* address, emu::detail::nv_atomics::Given<T> value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::And>(address, value, order, scope);
}
template <class T>
__forceinline__ void __nv_atomic_or(T* address, emu::detail::nv_atomics::Given<T> value, int order,
                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Or>(address, value, order, scope);
}
template <class T>
__forceinline__ void __nv_atomic_xor(T* address, emu::detail::nv_atomics::Given<T> value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Xor>(address, value, order, scope);
}
template <class T>
__forceinline__ void __nv_atomic_min(T* address, emu::detail::nv_atomics::Given<T> value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Min>(address, value, order, scope);
}
template <class T>
__forceinline__ void __nv_atomic_max(T* address, emu::detail::nv_atomics::Given<T> value, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::nv_fetch<emu::detail::nv_atomics::Max>(address, value, order, scope);
}

__forceinline__ void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  emu::detail::nv_atomics::check_order_and_scope(order, scope);
  if (order != __NV_ATOMIC_RELAXED) emu::detail::nv_atomics::fence_of(scope);
}
