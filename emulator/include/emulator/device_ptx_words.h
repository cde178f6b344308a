/// @file
/// Inline PTX that tests and selects without predicates, multiplies 24 bits, and works on several
/// numbers in a word (PTX calls these video instructions).
/// Source of all meanings: PTX ISA 8.8, chapters 9.7.1, 9.7.3, 9.7.6 and 9.7.17.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "emulator/device_integers.h"
#include "emulator/device_ptx.h"
#include "emulator/device_ptx_memory.h"
#include "host_defines.h"

namespace emu::ptx {

// Floating-point numbers.

struct finite_ {};
struct infinite_ {};
struct number_ {};
struct notanumber_ {};
struct normal_ {};
struct subnormal_ {};

/// Zeros count as normal.
template <class Kind, class Type, class Result, class First>
__forceinline__ void testp(Result& d, First a) {
  using Limits = std::numeric_limits<Type>;
  const Type x = get<Type>(a);
  const bool is_number = x == x, is_finite = x - x == 0;
  const bool is_small = x != 0 && x < Limits::min() && x > -Limits::min();
  if constexpr (is<Kind, finite_>)
    set(d, is_finite);
  else if constexpr (is<Kind, infinite_>)
    set(d, is_number && !is_finite);
  else if constexpr (is<Kind, number_>)
    set(d, is_number);
  else if constexpr (is<Kind, notanumber_>)
    set(d, !is_number);
  else if constexpr (is<Kind, normal_>)
    set(d, is_finite && !is_small);
  else
    set(d, is_small);
}

/// The sign of a, and everything else of b.
template <class Type, class Result, class First, class Second>
__forceinline__ void copysign(Result& d, First a, Second b) {
  using Bits = Unsigned<sizeof(Type)>;
  constexpr Bits kSign = Bits{1} << (bits<Type> - 1);
  set(d, static_cast<Bits>((__builtin_bit_cast(Bits, get<Type>(a)) & kSign) |
                           (__builtin_bit_cast(Bits, get<Type>(b)) & ~kSign)));
}

// Selections and comparisons.

template <class Ftz, class Type, class Chooser, class Result, class First, class Second,
          class Third>
__forceinline__ void slct(Result& d, First a, Second b, Third c) {
  set(d, read<Chooser, Ftz>(c) >= 0 ? get<Type>(a) : get<Type>(b));
}

/// What a comparison is as a number: all bits, or 1 for a floating-point number.
template <class Type, class Result>
__forceinline__ void set_truth(Result& d, bool holds) {
  set(d, holds ? is<Type, float> ? static_cast<Type>(1) : static_cast<Type>(-1) : Type{0});
}

template <class Order, class Ftz, class To, class Type, class Result, class First, class Second>
__forceinline__ void set_if(Result& d, First a, Second b) {
  set_truth<To>(d, compared<Order>(read<Type, Ftz>(a), read<Type, Ftz>(b)));
}
template <class Order, class Join, class Ftz, class To, class Type, class Result, class First,
          class Second, class Third>
__forceinline__ void set_if_with(Result& d, First a, Second b, Third c) {
  const bool holds = compared<Order>(read<Type, Ftz>(a), read<Type, Ftz>(b));
  set_truth<To>(d, joined<Join>(holds, get<bool>(c)));
}

// Integers.

/// The product of the lower 24 bits: its upper or its lower 32 of 48 bits.
template <class Part, class Type>
__forceinline__ Type product_of_24(Type a, Type b) {
  const auto extended = [](Type x) {
    constexpr unsigned kUpper = 8;
    return static_cast<Twice<Type>>(static_cast<Type>(static_cast<std::uint32_t>(x) << kUpper) >>
                                    kUpper);
  };
  const Twice<Type> whole = extended(a) * extended(b);
  return static_cast<Type>(is<Part, hi_> ? whole >> 16 : whole);
}

template <class Part, class Type, class Result, class First, class Second>
__forceinline__ void mul24(Result& d, First a, Second b) {
  set(d, product_of_24<Part>(get<Type>(a), get<Type>(b)));
}
template <class Part, class Sat, class Type, class Result, class First, class Second, class Third>
__forceinline__ void mad24(Result& d, First a, Second b, Third c) {
  const Type product = product_of_24<Part>(get<Type>(a), get<Type>(b));
  if constexpr (is<Sat, sat_>) {
    using Limits = std::numeric_limits<Type>;
    const Twice<Type> sum = static_cast<Twice<Type>>(product) + get<Type>(c);
    set(d, static_cast<Type>(sum < Limits::min()   ? Limits::min()
                             : sum > Limits::max() ? Limits::max()
                                                   : sum));
  } else {
    set(d, static_cast<std::uint32_t>(product) + get<std::uint32_t>(c));
  }
}

/// The lower b bits of a, with or without sign.
template <class Mode, class Type, class Result, class First, class Second>
__forceinline__ void szext(Result& d, First a, Second b) {
  const std::uint32_t word = get<b32_>(a);
  const std::uint32_t count = is<Mode, wrap_> ? get<b32_>(b) & 31 : get<b32_>(b);
  if (count == 0)
    set(d, std::uint32_t{0});
  else if (count >= 32)
    set(d, word);
  else
    set(d, static_cast<Type>(static_cast<Type>(word << (32 - count)) >> (32 - count)));
}

template <class Result, class First, class Second, class Third>
__forceinline__ void fns(Result& d, First a, Second b, Third c) {
  set(d, static_cast<std::uint32_t>(
             ::__fns(get<std::uint32_t>(a), get<std::uint32_t>(b), get<std::int32_t>(c))));
}

// Several numbers in a word.

/// Works on fields of `width` bits of a and b. Their results lie side by side in d; with .sat, each
/// is moved into the range of its field; with .add, c and all results are added up.
template <unsigned width, class To, class TA, class TB, class How, class Result, class Function,
          class First, class Second, class Third>
__forceinline__ void for_fields(Result& d, const Function& function, First a, Second b, Third c) {
  constexpr std::uint32_t kField = (1u << width) - 1;
  constexpr std::int32_t kLeast = std::is_signed_v<To> ? -(1 << (width - 1)) : 0;
  constexpr std::int32_t kMost = kLeast + static_cast<std::int32_t>(kField);
  std::uint32_t word = 0, sum = get<std::uint32_t>(c);
  for (unsigned at = 0; at < 32; at += width) {
    const auto x = static_cast<std::int32_t>(
        static_cast<TA>(get<std::uint32_t>(a) << (32 - width - at)) >> (32 - width));
    const auto y = static_cast<std::int32_t>(
        static_cast<TB>(get<std::uint32_t>(b) << (32 - width - at)) >> (32 - width));
    std::int32_t result = function(x, y);
    if constexpr (is<How, sat_>)
      result = result < kLeast ? kLeast : result > kMost ? kMost : result;
    word |= (static_cast<std::uint32_t>(result) & kField) << at;
    sum += static_cast<std::uint32_t>(result);
  }
  set(d, is<How, add_> ? sum : word);
}

constexpr auto field_sum = [](std::int32_t x, std::int32_t y) { return x + y; };
constexpr auto field_difference = [](std::int32_t x, std::int32_t y) { return x - y; };
constexpr auto field_distance = [](std::int32_t x, std::int32_t y) {
  return x < y ? y - x : x - y;
};
/// Halves are rounded away from zero.
constexpr auto field_average = [](std::int32_t x, std::int32_t y) {
  return (x + y + (x + y >= 0 ? 1 : 0)) >> 1;
};
constexpr auto field_smaller = [](std::int32_t x, std::int32_t y) { return x < y ? x : y; };
constexpr auto field_larger = [](std::int32_t x, std::int32_t y) { return x < y ? y : x; };

template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vadd2(Result& d, First a, Second b, Third c) {
  for_fields<16, To, TA, TB, How>(d, field_sum, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vadd4(Result& d, First a, Second b, Third c) {
  for_fields<8, To, TA, TB, How>(d, field_sum, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vsub2(Result& d, First a, Second b, Third c) {
  for_fields<16, To, TA, TB, How>(d, field_difference, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vsub4(Result& d, First a, Second b, Third c) {
  for_fields<8, To, TA, TB, How>(d, field_difference, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vabsdiff2(Result& d, First a, Second b, Third c) {
  for_fields<16, To, TA, TB, How>(d, field_distance, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vabsdiff4(Result& d, First a, Second b, Third c) {
  for_fields<8, To, TA, TB, How>(d, field_distance, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vavrg2(Result& d, First a, Second b, Third c) {
  for_fields<16, To, TA, TB, How>(d, field_average, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vavrg4(Result& d, First a, Second b, Third c) {
  for_fields<8, To, TA, TB, How>(d, field_average, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vmin2(Result& d, First a, Second b, Third c) {
  for_fields<16, To, TA, TB, How>(d, field_smaller, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vmin4(Result& d, First a, Second b, Third c) {
  for_fields<8, To, TA, TB, How>(d, field_smaller, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vmax2(Result& d, First a, Second b, Third c) {
  for_fields<16, To, TA, TB, How>(d, field_larger, a, b, c);
}
template <class To, class TA, class TB, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vmax4(Result& d, First a, Second b, Third c) {
  for_fields<8, To, TA, TB, How>(d, field_larger, a, b, c);
}
template <class TA, class TB, class Order, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vset2(Result& d, First a, Second b, Third c) {
  const auto holds = [](std::int32_t x, std::int32_t y) { return compared<Order>(x, y) ? 1 : 0; };
  for_fields<16, std::uint32_t, TA, TB, How>(d, holds, a, b, c);
}
template <class TA, class TB, class Order, class How, class Result, class First, class Second,
          class Third>
__forceinline__ void vset4(Result& d, First a, Second b, Third c) {
  const auto holds = [](std::int32_t x, std::int32_t y) { return compared<Order>(x, y) ? 1 : 0; };
  for_fields<8, std::uint32_t, TA, TB, How>(d, holds, a, b, c);
}

}  // namespace emu::ptx
