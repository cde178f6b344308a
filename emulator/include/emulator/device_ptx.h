/// @file
/// The functions to which inline PTX is translated: one per instruction, results first. The table
/// in emulator/rewriter/ptx_instructions.hpp lists them. Registers hold bits: std::uint16_t,
/// std::uint32_t, std::uint64_t, or bool for a predicate. Numbers in the text are long long or
/// double. Source for all instructions: PTX ISA 8.8, chapter 9.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "emulator/device.h"
#include "emulator/device_arithmetic.h"
#include "emulator/device_conversions.h"
#include "emulator/device_integers.h"
#include "emulator/device_math.h"
#include "emulator/device_misc.h"
#include "host_defines.h"

namespace emu::ptx {

using pred_ = bool;
using b8_ = std::uint8_t;
using b16_ = std::uint16_t;
using b32_ = std::uint32_t;
using b64_ = std::uint64_t;
using u8_ = std::uint8_t;
using u16_ = std::uint16_t;
using u32_ = std::uint32_t;
using u64_ = std::uint64_t;
using s8_ = std::int8_t;
using s16_ = std::int16_t;
using s32_ = std::int32_t;
using s64_ = std::int64_t;
__extension__ using s128_ = __int128;
__extension__ using u128_ = unsigned __int128;
using f32_ = float;
using f64_ = double;

struct none_ {};
struct lo_ {};
struct hi_ {};
struct wide_ {};
struct l_ {};
struct r_ {};
struct clamp_ {};
struct wrap_ {};
struct shiftamt_ {};
struct sat_ {};
struct ftz_ {};
struct NaN_ {};
struct cc_ {};
struct f4e_ {};
struct b4e_ {};
struct rc8_ {};
struct ecl_ {};
struct ecr_ {};
struct rc16_ {};
struct and_ {};
struct or_ {};
struct xor_ {};
struct rn_ {};
struct rz_ {};
struct rm_ {};
struct rp_ {};
struct rni_ {};
struct rzi_ {};
struct rmi_ {};
struct rpi_ {};
struct eq_ {};
struct ne_ {};
struct lt_ {};
struct le_ {};
struct gt_ {};
struct ge_ {};
struct ls_ {};
struct hs_ {};
struct equ_ {};
struct neu_ {};
struct ltu_ {};
struct leu_ {};
struct gtu_ {};
struct geu_ {};
struct num_ {};
struct nan_ {};

template <class First, class Second>
inline constexpr bool is = std::is_same_v<First, Second>;

template <class Type>
inline constexpr unsigned bits = sizeof(Type) * 8;

template <int bytes>
using Unsigned = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t,
                       std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

/// Returns the register of an operand with constraint r, l, h, f or d; n gives a number.
template <char constraint>
using Register = std::conditional_t<
    constraint == 'h', std::uint16_t,
    std::conditional_t<constraint == 'r' || constraint == 'f', std::uint32_t, std::uint64_t>>;

template <char constraint, class Type>
__forceinline__ auto input(const Type& value) {
  using Bits = Register<constraint>;
  if constexpr (constraint == 'n') {
    if constexpr (std::is_floating_point_v<Type>)
      return static_cast<double>(value);
    else
      return static_cast<long long>(value);
  } else if constexpr (constraint == 'f' || constraint == 'd') {
    using Float = std::conditional_t<constraint == 'f', float, double>;
    static_assert(is<Type, Float>, "asm: an operand is not of its constraint's type");
    return __builtin_bit_cast(Bits, value);
  } else if constexpr (std::is_integral_v<Type> || std::is_enum_v<Type>) {
    static_assert(sizeof(Type) <= sizeof(Bits), "asm: an operand is wider than its constraint");
    return static_cast<Bits>(value);
  } else if constexpr (std::is_array_v<Type>) {
    return static_cast<Bits>(reinterpret_cast<std::uintptr_t>(&value[0]));
  } else {
    static_assert(sizeof(Type) == sizeof(Bits), "asm: an operand is not of its constraint's size");
    return __builtin_bit_cast(Bits, value);
  }
}

template <char constraint>
__forceinline__ constexpr Register<constraint> output() {
  return 0;
}

/// Stores a register's final value.
template <class Type, class Bits>
__forceinline__ void store(Type& to, Bits value) {
  if constexpr (std::is_integral_v<Type> || std::is_enum_v<Type>) {
    to = static_cast<Type>(value);
  } else {
    static_assert(sizeof(Type) == sizeof(Bits), "asm: an operand is not of its constraint's size");
    to = __builtin_bit_cast(Type, value);
  }
}

/// Converts an operand to T. Bits of a wider register are dropped only if `narrows` permits it.
template <class Type, bool narrows = false, class Given>
__forceinline__ constexpr Type get(Given x) {
  constexpr bool is_number = is<Given, long long> || is<Given, double>;
  static_assert(is_number || narrows ? sizeof(Given) >= sizeof(Type) || is_number
                                     : sizeof(Given) == sizeof(Type),
                "asm: an operand's width is not its instruction's");
  static_assert(is_number || is<Given, bool> == is<Type, bool>, "asm: a predicate is no number");
  if constexpr (std::is_floating_point_v<Type>) {
    static_assert(!is<Given, long long>, "asm: an integer stands for a floating-point number");
    if constexpr (is<Given, double>)
      return static_cast<Type>(x);
    else
      return __builtin_bit_cast(Type, x);
  } else {
    static_assert(!is<Given, double>, "asm: a floating-point number stands for an integer");
    return static_cast<Type>(x);
  }
}

/// Stores a result in a register, which may be wider than an integer result.
template <class Result, class Type>
__forceinline__ constexpr void set(Result& d, Type value) {
  static_assert(
      std::is_integral_v<Type> ? sizeof(Result) >= sizeof(Type) : sizeof(Result) == sizeof(Type),
      "asm: a result's width is not its instruction's");
  static_assert(is<Result, bool> == is<Type, bool>, "asm: a predicate is no number");
  if constexpr (std::is_integral_v<Type>)
    d = static_cast<Result>(value);
  else
    d = __builtin_bit_cast(Result, value);
}

/// The destination `_` in PTX, for a result that is not used.
struct Nowhere {};
template <class Type>
__forceinline__ constexpr void set(Nowhere&, Type) {}

__forceinline__ std::uint32_t lane() { return ::emu::lane_id(); }

// Moves.

template <class Type, class Result, class First>
__forceinline__ void mov(Result& d, First a) {
  set(d, get<Type>(a));
}

/// Joins parts; the first one is the lowest.
template <class Type, class Result, class... Parts>
__forceinline__ void mov_pack(Result& d, Parts... parts) {
  using Part = Unsigned<sizeof(Type) / sizeof...(Parts)>;
  Type whole = 0;
  unsigned at = 0;
  ((whole = static_cast<Type>(whole | static_cast<Type>(get<Part>(parts)) << at), at += bits<Part>),
   ...);
  set(d, whole);
}

template <class Type, class First, class... Results>
__forceinline__ void mov_unpack(First a, Results&... parts) {
  using Part = Unsigned<sizeof(Type) / sizeof...(Results)>;
  unsigned at = 0;
  ((set(parts, static_cast<Part>(get<Type>(a) >> at)), at += bits<Part>), ...);
}

// Integers. All operations wrap.

/// T's unsigned type, but at least unsigned int, so that nothing overflows.
template <class Type>
using Wrapping = std::conditional_t<(sizeof(Type) < 4), std::uint32_t, std::make_unsigned_t<Type>>;

template <class Type, class Result, class First, class Second>
__forceinline__ void add(Result& d, First a, Second b) {
  using Wrapped = Wrapping<Type>;
  set(d,
      static_cast<Type>(static_cast<Wrapped>(get<Type>(a)) + static_cast<Wrapped>(get<Type>(b))));
}

template <class Type, class Result, class First, class Second>
__forceinline__ void sub(Result& d, First a, Second b) {
  using Wrapped = Wrapping<Type>;
  set(d,
      static_cast<Type>(static_cast<Wrapped>(get<Type>(a)) - static_cast<Wrapped>(get<Type>(b))));
}

/// The type with twice as many bits as T.
template <class Type>
using Twice = std::conditional_t<
    sizeof(Type) == 8, std::conditional_t<std::is_signed_v<Type>, s128_, u128_>,
    std::conditional_t<sizeof(Type) == 4,
                       std::conditional_t<std::is_signed_v<Type>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<Type>, std::int32_t, std::uint32_t>>>;

template <class Part, class Type>
constexpr auto product(Type a, Type b) {
  const Twice<Type> whole = static_cast<Twice<Type>>(a) * static_cast<Twice<Type>>(b);
  if constexpr (is<Part, wide_>)
    return whole;
  else if constexpr (is<Part, hi_>)
    return static_cast<Type>(whole >> bits<Type>);
  else
    return static_cast<Type>(whole);
}

template <class Part, class Type, class Result, class First, class Second>
__forceinline__ void mul(Result& d, First a, Second b) {
  set(d, product<Part>(get<Type>(a), get<Type>(b)));
}

template <class Part, class Type, class Result, class First, class Second, class Third>
__forceinline__ void mad(Result& d, First a, Second b, Third c) {
  const auto p = product<Part>(get<Type>(a), get<Type>(b));
  add<std::remove_const_t<decltype(p)>>(d, static_cast<Unsigned<sizeof p>>(p), c);
}

/// PTX leaves division by zero undefined; here all bits of the quotient are set.
template <class Type>
constexpr Type quotient(Type a, Type b) {
  if (b == 0) return static_cast<Type>(-1);
  if (std::is_signed_v<Type> && b == static_cast<Type>(-1))
    return static_cast<Type>(Wrapping<Type>{0} - static_cast<Wrapping<Type>>(a));
  return static_cast<Type>(a / b);
}

template <class Type, class Result, class First, class Second>
__forceinline__ void div(Result& d, First a, Second b) {
  set(d, quotient(get<Type>(a), get<Type>(b)));
}

template <class Type, class Result, class First, class Second>
__forceinline__ void rem(Result& d, First a, Second b) {
  using Wrapped = Wrapping<Type>;
  const Type q = quotient(get<Type>(a), get<Type>(b));
  set(d, static_cast<Type>(static_cast<Wrapped>(get<Type>(a)) -
                           static_cast<Wrapped>(q) * static_cast<Wrapped>(get<Type>(b))));
}

template <class Type, class Result, class First, class Second>
__forceinline__ void min(Result& d, First a, Second b) {
  set(d, get<Type>(a) < get<Type>(b) ? get<Type>(a) : get<Type>(b));
}

template <class Type, class Result, class First, class Second>
__forceinline__ void max(Result& d, First a, Second b) {
  set(d, get<Type>(a) > get<Type>(b) ? get<Type>(a) : get<Type>(b));
}

template <class Type, class Result, class First, class Second, class Third>
__forceinline__ void sad(Result& d, First a, Second b, Third c) {
  using Wrapped = Wrapping<Type>;
  const Type x = get<Type>(a), y = get<Type>(b);
  const Wrapped difference = x < y ? static_cast<Wrapped>(y) - static_cast<Wrapped>(x)
                                   : static_cast<Wrapped>(x) - static_cast<Wrapped>(y);
  set(d, static_cast<Type>(static_cast<Wrapped>(get<Type>(c)) + difference));
}

template <class Type, class Result, class First>
__forceinline__ void neg(Result& d, First a) {
  set(d, static_cast<Type>(Wrapping<Type>{0} - static_cast<Wrapping<Type>>(get<Type>(a))));
}

template <class Type, class Result, class First>
__forceinline__ void abs(Result& d, First a) {
  if (get<Type>(a) < 0)
    neg<Type>(d, a);
  else
    set(d, get<Type>(a));
}

/// Sums `count` products of a's fields, `a_bits` wide, with b's bytes beginning with `first`.
template <class TA, class TB, unsigned a_bits, class Result, class First, class Second, class Third>
__forceinline__ void dot(Result& d, First a, Second b, Third c, unsigned first, unsigned count) {
  std::uint32_t sum = get<std::uint32_t>(c);
  for (unsigned i = 0; i < count; ++i) {
    const TA x = static_cast<TA>(get<std::uint32_t>(a) << (32 - a_bits * (i + 1)));
    const TB y = static_cast<TB>(get<std::uint32_t>(b) << (24 - 8 * (first + i)));
    sum += static_cast<std::uint32_t>(x >> (32 - a_bits)) * static_cast<std::uint32_t>(y >> 24);
  }
  set(d, sum);
}

template <class TA, class TB, class Result, class First, class Second, class Third>
__forceinline__ void dp4a(Result& d, First a, Second b, Third c) {
  dot<TA, TB, 8>(d, a, b, c, 0, 4);
}

template <class Part, class TA, class TB, class Result, class First, class Second, class Third>
__forceinline__ void dp2a(Result& d, First a, Second b, Third c) {
  dot<TA, TB, 16>(d, a, b, c, is<Part, hi_> ? 2 : 0, 2);
}

// Bits.

template <class Type, class Result, class First, class Second>
__forceinline__ void bit_and(Result& d, First a, Second b) {
  set(d, static_cast<Type>(get<Type>(a) & get<Type>(b)));
}

template <class Type, class Result, class First, class Second>
__forceinline__ void bit_or(Result& d, First a, Second b) {
  set(d, static_cast<Type>(get<Type>(a) | get<Type>(b)));
}

template <class Type, class Result, class First, class Second>
__forceinline__ void bit_xor(Result& d, First a, Second b) {
  set(d, static_cast<Type>(get<Type>(a) ^ get<Type>(b)));
}

template <class Type, class Result, class First>
__forceinline__ void bit_not(Result& d, First a) {
  if constexpr (is<Type, bool>)
    set(d, !get<Type>(a));
  else
    set(d, static_cast<Type>(~get<Type>(a)));
}

template <class Type, class Result, class First>
__forceinline__ void cnot(Result& d, First a) {
  set(d, static_cast<Type>(get<Type>(a) == 0));
}

/// Shifts; a count of at least the type's width gives 0, or copies of the sign.
template <class Type, class Result, class First, class Second>
__forceinline__ void shl(Result& d, First a, Second b) {
  const std::uint32_t n = get<std::uint32_t>(b);
  set(d, n >= bits<Type> ? Type{0}
                         : static_cast<Type>(static_cast<Wrapping<Type>>(get<Type>(a)) << n));
}

template <class Type, class Result, class First, class Second>
__forceinline__ void shr(Result& d, First a, Second b) {
  const std::uint32_t n = get<std::uint32_t>(b);
  const Type x = get<Type>(a);
  if (n < bits<Type>)
    set(d, static_cast<Type>(x >> n));
  else
    set(d, static_cast<Type>(std::is_signed_v<Type> && x < Type{0} ? -1 : 0));
}

template <class Direction, class Mode, class, class Result, class First, class Second, class Third>
__forceinline__ void shf(Result& d, First a, Second b, Third c) {
  const std::uint32_t low = get<b32_>(a), high = get<b32_>(b), n = get<b32_>(c);
  if constexpr (is<Direction, l_>)
    set(d, is<Mode, clamp_> ? __funnelshift_lc(low, high, n) : __funnelshift_l(low, high, n));
  else
    set(d, is<Mode, clamp_> ? __funnelshift_rc(low, high, n) : __funnelshift_r(low, high, n));
}

template <class, class Result, class First, class Second, class Third, class Table>
__forceinline__ void lop3(Result& d, First a, Second b, Third c, Table table) {
  const std::uint32_t t = get<b32_>(table);
  std::uint32_t result = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if ((t >> row & 1) == 0) continue;
    result |= (row & 4 ? get<b32_>(a) : ~get<b32_>(a)) & (row & 2 ? get<b32_>(b) : ~get<b32_>(b)) &
              (row & 1 ? get<b32_>(c) : ~get<b32_>(c));
  }
  set(d, result);
}

template <class, class Mode, class Result, class First, class Second, class Third>
__forceinline__ void prmt(Result& d, First a, Second b, Third c) {
  // Selectors for the low two bits of c, with a nibble for each byte of the result.
  constexpr std::uint32_t kForward[] = {0x3210, 0x4321, 0x5432, 0x6543};
  constexpr std::uint32_t kBackward[] = {0x5670, 0x6701, 0x7012, 0x0123};
  constexpr std::uint32_t kReplicated[] = {0x0000, 0x1111, 0x2222, 0x3333};
  constexpr std::uint32_t kClampedLeft[] = {0x3210, 0x3211, 0x3222, 0x3333};
  constexpr std::uint32_t kClampedRight[] = {0x0000, 0x1110, 0x2210, 0x3210};
  constexpr std::uint32_t kHalves[] = {0x1010, 0x3232, 0x1010, 0x3232};
  const std::uint32_t mode = get<b32_>(c) & 3;
  const std::uint32_t selector = is<Mode, f4e_>    ? kForward[mode]
                                 : is<Mode, b4e_>  ? kBackward[mode]
                                 : is<Mode, rc8_>  ? kReplicated[mode]
                                 : is<Mode, ecl_>  ? kClampedLeft[mode]
                                 : is<Mode, ecr_>  ? kClampedRight[mode]
                                 : is<Mode, rc16_> ? kHalves[mode]
                                                   : get<b32_>(c);
  const std::uint64_t bytes = std::uint64_t{get<b32_>(b)} << 32 | get<b32_>(a);
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t nibble = selector >> (4 * i) & 15;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (nibble & 7)) & 0xff);
    if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  set(d, result);
}

template <class Type, class Result, class First, class Second, class Third>
__forceinline__ void bfe(Result& d, First a, Second b, Third c) {
  using Raw = std::make_unsigned_t<Type>;
  const Raw from = static_cast<Raw>(get<Type>(a));
  const std::uint32_t position = get<b32_>(b) & 0xff, length = get<b32_>(c) & 0xff;
  const std::uint32_t last =
      position + length - 1 < bits<Type> - 1 ? position + length - 1 : bits<Type> - 1;
  const bool sign = std::is_signed_v<Type> && length != 0 && (from >> last & 1) != 0;
  const Raw field = position < bits<Type> ? from >> position : Raw{0};
  // Bits of the field inside the source; the others are copies of the sign.
  const std::uint32_t within = position >= bits<Type> ? 0 : bits<Type> - position;
  const std::uint32_t kept = length < within ? length : within;
  const Raw mask = kept >= bits<Type> ? ~Raw{0} : (Raw{1} << kept) - 1;
  set(d, static_cast<Type>((field & mask) | (sign ? ~mask : Raw{0})));
}

template <class Type, class Result, class First, class Second, class Position, class Length>
__forceinline__ void bfi(Result& d, First a, Second b, Position p, Length l) {
  const std::uint32_t position = get<b32_>(p) & 0xff, length = get<b32_>(l) & 0xff;
  Type mask = length >= bits<Type> ? ~Type{0} : (Type{1} << length) - 1;
  mask = position >= bits<Type> ? Type{0} : mask << position;
  const Type field = position >= bits<Type> ? Type{0} : get<Type>(a) << position;
  set(d, static_cast<Type>((get<Type>(b) & ~mask) | (field & mask)));
}

template <class Mode, class Result, class First, class Second>
__forceinline__ void bmsk(Result& d, First a, Second b) {
  const std::uint32_t position = get<b32_>(a), width = get<b32_>(b);
  const std::uint32_t end = (position & 31) + (width & 31);
  if (is<Mode, clamp_> && position >= 32)
    set(d, std::uint32_t{0});
  else
    set(d, (~0u << (position & 31)) &
               (end >= 32 || (is<Mode, clamp_> && width >= 32) ? ~0u : ~(~0u << end)));
}

template <class Mode, class Type, class Result, class First>
__forceinline__ void bfind(Result& d, First a) {
  const Type x = get<Type>(a);
  const std::uint64_t from =
      static_cast<std::make_unsigned_t<Type>>(x < Type{0} ? static_cast<Type>(~x) : x);
  const std::uint32_t at = 63u - static_cast<std::uint32_t>(__clzll(static_cast<long long>(from)));
  set(d, is<Mode, shiftamt_> && from != 0 ? bits<Type> - 1 - at : at);
}

template <class Type, class Result, class First>
__forceinline__ void brev(Result& d, First a) {
  set(d, static_cast<Type>(__brevll(get<Type>(a)) >> (64 - bits<Type>)));
}

template <class Type, class Result, class First>
__forceinline__ void clz(Result& d, First a) {
  const int above = __clzll(static_cast<long long>(std::uint64_t{get<Type>(a)}));
  set(d, static_cast<std::uint32_t>(above) - (64 - bits<Type>));
}

template <class Type, class Result, class First>
__forceinline__ void popc(Result& d, First a) {
  set(d, static_cast<std::uint32_t>(__popcll(get<Type>(a))));
}

// Floating-point numbers.

/// Selects one of an intrinsic's four rounding versions.
template <class Round, class Nearest, class Zero, class Up, class Down>
__forceinline__ auto rounded(Nearest nearest, Zero zero, Up up, Down down) {
  if constexpr (is<Round, rz_> || is<Round, rzi_>)
    return zero();
  else if constexpr (is<Round, rp_> || is<Round, rpi_>)
    return up();
  else if constexpr (is<Round, rm_> || is<Round, rmi_>)
    return down();
  else
    return nearest();
}

/// Flushes subnormal operands and results to zero with .ftz, and clamps results to [0, 1] with
/// .sat.
template <class Ftz, class Type>
__forceinline__ Type flushed(Type x) {
  if constexpr (is<Ftz, ftz_>) {
    static_assert(is<Type, float>, "asm: .ftz is for f32 alone");
    constexpr float kSmallestNormal = std::numeric_limits<float>::min();
    if (__builtin_fabsf(x) < kSmallestNormal) return __builtin_copysignf(0.0f, x);
  }
  return x;
}
template <class Type, class Ftz, class First>
__forceinline__ Type read(First a) {
  return flushed<Ftz>(get<Type>(a));
}
template <class Ftz, class Sat, class Type>
__forceinline__ Type finished(Type x) {
  if constexpr (is<Sat, sat_>) {
    static_assert(is<Type, float>, "asm: .sat is for f32 alone");
    return x > 0 ? x < 1 ? flushed<Ftz>(x) : 1.0f : 0.0f;
  }
  return flushed<Ftz>(x);
}

template <class Round, class Ftz, class Sat, class Type, class Result, class First, class Second>
__forceinline__ void float_add(Result& d, First a, Second b) {
  if constexpr (is<Type, float>)
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] { return ::__fadd_rn(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fadd_rz(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fadd_ru(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fadd_rd(read<float, Ftz>(a), read<float, Ftz>(b)); })));
  else
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] { return ::__dadd_rn(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dadd_rz(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dadd_ru(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dadd_rd(read<double, Ftz>(a), read<double, Ftz>(b)); })));
}

template <class Round, class Ftz, class Sat, class Type, class Result, class First, class Second>
__forceinline__ void float_sub(Result& d, First a, Second b) {
  if constexpr (is<Type, float>)
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] { return ::__fsub_rn(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fsub_rz(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fsub_ru(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fsub_rd(read<float, Ftz>(a), read<float, Ftz>(b)); })));
  else
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] { return ::__dsub_rn(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dsub_rz(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dsub_ru(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dsub_rd(read<double, Ftz>(a), read<double, Ftz>(b)); })));
}

template <class Round, class Ftz, class Sat, class Type, class Result, class First, class Second>
__forceinline__ void float_mul(Result& d, First a, Second b) {
  if constexpr (is<Type, float>)
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] { return ::__fmul_rn(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fmul_rz(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fmul_ru(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fmul_rd(read<float, Ftz>(a), read<float, Ftz>(b)); })));
  else
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] { return ::__dmul_rn(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dmul_rz(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dmul_ru(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__dmul_rd(read<double, Ftz>(a), read<double, Ftz>(b)); })));
}

template <class Round, class Ftz, class Sat, class Type, class Result, class First, class Second,
          class Third>
__forceinline__ void float_fma(Result& d, First a, Second b, Third c) {
  if constexpr (is<Type, float>)
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] {
                 return ::__fmaf_rn(read<float, Ftz>(a), read<float, Ftz>(b), read<float, Ftz>(c));
               },
               [&] {
                 return ::__fmaf_rz(read<float, Ftz>(a), read<float, Ftz>(b), read<float, Ftz>(c));
               },
               [&] {
                 return ::__fmaf_ru(read<float, Ftz>(a), read<float, Ftz>(b), read<float, Ftz>(c));
               },
               [&] {
                 return ::__fmaf_rd(read<float, Ftz>(a), read<float, Ftz>(b), read<float, Ftz>(c));
               })));
  else
    set(d,
        finished<Ftz, Sat>(rounded<Round>(
            [&] {
              return ::__fma_rn(read<double, Ftz>(a), read<double, Ftz>(b), read<double, Ftz>(c));
            },
            [&] {
              return ::__fma_rz(read<double, Ftz>(a), read<double, Ftz>(b), read<double, Ftz>(c));
            },
            [&] {
              return ::__fma_ru(read<double, Ftz>(a), read<double, Ftz>(b), read<double, Ftz>(c));
            },
            [&] {
              return ::__fma_rd(read<double, Ftz>(a), read<double, Ftz>(b), read<double, Ftz>(c));
            })));
}

template <class Round, class Ftz, class Type, class Result, class First, class Second>
__forceinline__ void float_div(Result& d, First a, Second b) {
  if constexpr (is<Type, float>)
    set(d, finished<Ftz, none_>(rounded<Round>(
               [&] { return ::__fdiv_rn(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fdiv_rz(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fdiv_ru(read<float, Ftz>(a), read<float, Ftz>(b)); },
               [&] { return ::__fdiv_rd(read<float, Ftz>(a), read<float, Ftz>(b)); })));
  else
    set(d, finished<Ftz, none_>(rounded<Round>(
               [&] { return ::__ddiv_rn(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__ddiv_rz(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__ddiv_ru(read<double, Ftz>(a), read<double, Ftz>(b)); },
               [&] { return ::__ddiv_rd(read<double, Ftz>(a), read<double, Ftz>(b)); })));
}

template <class Round, class Ftz, class Type, class Result, class First>
__forceinline__ void float_rcp(Result& d, First a) {
  if constexpr (is<Type, float>)
    set(d, finished<Ftz, none_>(rounded<Round>([&] { return ::__frcp_rn(read<float, Ftz>(a)); },
                                               [&] { return ::__frcp_rz(read<float, Ftz>(a)); },
                                               [&] { return ::__frcp_ru(read<float, Ftz>(a)); },
                                               [&] { return ::__frcp_rd(read<float, Ftz>(a)); })));
  else
    set(d, finished<Ftz, none_>(rounded<Round>([&] { return ::__drcp_rn(read<double, Ftz>(a)); },
                                               [&] { return ::__drcp_rz(read<double, Ftz>(a)); },
                                               [&] { return ::__drcp_ru(read<double, Ftz>(a)); },
                                               [&] { return ::__drcp_rd(read<double, Ftz>(a)); })));
}

template <class Round, class Ftz, class Type, class Result, class First>
__forceinline__ void float_sqrt(Result& d, First a) {
  if constexpr (is<Type, float>)
    set(d, finished<Ftz, none_>(rounded<Round>([&] { return ::__fsqrt_rn(read<float, Ftz>(a)); },
                                               [&] { return ::__fsqrt_rz(read<float, Ftz>(a)); },
                                               [&] { return ::__fsqrt_ru(read<float, Ftz>(a)); },
                                               [&] { return ::__fsqrt_rd(read<float, Ftz>(a)); })));
  else
    set(d,
        finished<Ftz, none_>(rounded<Round>([&] { return ::__dsqrt_rn(read<double, Ftz>(a)); },
                                            [&] { return ::__dsqrt_rz(read<double, Ftz>(a)); },
                                            [&] { return ::__dsqrt_ru(read<double, Ftz>(a)); },
                                            [&] { return ::__dsqrt_rd(read<double, Ftz>(a)); })));
}

template <class Type>
__forceinline__ constexpr Type not_a_number() {
  if constexpr (is<Type, float>)
    return __builtin_bit_cast(float, 0x7fffffffu);
  else
    return __builtin_bit_cast(double, 0x7fffffffffffffffull);
}

/// Returns the smaller or larger number: -0 is less than +0, and a number is preferred to NaN. With
/// .NaN, NaN is preferred.
template <bool largest, class Nan, class Type>
__forceinline__ Type extreme(Type a, Type b) {
  if (is<Nan, NaN_> && (a != a || b != b)) return not_a_number<Type>();
  if (a != a && b != b) return not_a_number<Type>();
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return (__builtin_signbit(a) != 0) == largest ? b : a;
  return (a < b) == largest ? b : a;
}

template <class Ftz, class Nan, class Type, class Result, class First, class Second>
__forceinline__ void float_min(Result& d, First a, Second b) {
  set(d, extreme<false, Nan>(read<Type, Ftz>(a), read<Type, Ftz>(b)));
}

template <class Ftz, class Nan, class Type, class Result, class First, class Second>
__forceinline__ void float_max(Result& d, First a, Second b) {
  set(d, extreme<true, Nan>(read<Type, Ftz>(a), read<Type, Ftz>(b)));
}

template <class Ftz, class Type, class Result, class First>
__forceinline__ void float_abs(Result& d, First a) {
  using Raw = Unsigned<sizeof(Type)>;
  set(d, static_cast<Raw>(__builtin_bit_cast(Raw, read<Type, Ftz>(a)) &
                          ~(Raw{1} << (bits<Type> - 1))));
}

template <class Ftz, class Type, class Result, class First>
__forceinline__ void float_neg(Result& d, First a) {
  using Raw = Unsigned<sizeof(Type)>;
  set(d,
      static_cast<Raw>(__builtin_bit_cast(Raw, read<Type, Ftz>(a)) ^ Raw{1} << (bits<Type> - 1)));
}

// Comparisons.

template <class Order, class Type>
__forceinline__ constexpr bool compared(Type a, Type b) {
  bool unordered = false;
  if constexpr (std::is_floating_point_v<Type>) unordered = a != a || b != b;
  if constexpr (is<Order, num_>) return !unordered;
  if constexpr (is<Order, nan_>) return unordered;
  constexpr bool kHoldsForNan = is<Order, equ_> || is<Order, neu_> || is<Order, ltu_> ||
                                is<Order, leu_> || is<Order, gtu_> || is<Order, geu_>;
  if (unordered) return kHoldsForNan;
  if constexpr (is<Order, eq_> || is<Order, equ_>) return a == b;
  if constexpr (is<Order, ne_> || is<Order, neu_>) return a != b;
  if constexpr (is<Order, lt_> || is<Order, ltu_> || is<Order, lo_>) return a < b;
  if constexpr (is<Order, le_> || is<Order, leu_> || is<Order, ls_>) return a <= b;
  if constexpr (is<Order, gt_> || is<Order, gtu_> || is<Order, hi_>) return a > b;
  return a >= b;
}

template <class Join>
__forceinline__ constexpr bool joined(bool first, bool second) {
  return is<Join, and_> ? first && second : is<Join, or_> ? first || second : first != second;
}

// Sets d to the comparison's result and `opposite` to its negation, each combined with c.
template <class Order, class Ftz, class Type, class Result, class Opposite, class First,
          class Second>
__forceinline__ void setp(Result& d, Opposite& opposite, First a, Second b) {
  const bool holds = compared<Order>(read<Type, Ftz>(a), read<Type, Ftz>(b));
  set(d, holds);
  set(opposite, !holds);
}

template <class Order, class Join, class Ftz, class Type, class Result, class Opposite, class First,
          class Second, class Third>
__forceinline__ void setp_with(Result& d, Opposite& opposite, First a, Second b, Third c) {
  const bool holds = compared<Order>(read<Type, Ftz>(a), read<Type, Ftz>(b)), with = get<bool>(c);
  set(d, joined<Join>(holds, with));
  set(opposite, joined<Join>(!holds, with));
}

template <class Type, class Result, class First, class Second, class Third>
__forceinline__ void selp(Result& d, First a, Second b, Third c) {
  set(d, get<bool>(c) ? get<Type>(a) : get<Type>(b));
}

// Conversions.

template <class To, class From, class Result, class First>
__forceinline__ void cvt(Result& d, First a) {
  set(d, static_cast<To>(get<From, true>(a)));
}

template <class, class To, class From, class Result, class First>
__forceinline__ void cvt_sat(Result& d, First a) {
  const s128_ x = get<From, true>(a);
  constexpr s128_ kLeast = std::numeric_limits<To>::min(), kMost = std::numeric_limits<To>::max();
  set(d, static_cast<To>(x < kLeast ? kLeast : x > kMost ? kMost : x));
}

template <class Round, class To, class From, class Result, class First>
__forceinline__ void cvt_to_float(Result& d, First a) {
  const From x = get<From>(a);
  if constexpr (is<To, double> && sizeof(From) == 4)
    set(d, static_cast<double>(x));
  else if constexpr (is<To, float> && is<From, s32_>)
    set(d,
        rounded<Round>([&] { return ::__int2float_rn(x); }, [&] { return ::__int2float_rz(x); },
                       [&] { return ::__int2float_ru(x); }, [&] { return ::__int2float_rd(x); }));
  else if constexpr (is<To, float> && is<From, u32_>)
    set(d,
        rounded<Round>([&] { return ::__uint2float_rn(x); }, [&] { return ::__uint2float_rz(x); },
                       [&] { return ::__uint2float_ru(x); }, [&] { return ::__uint2float_rd(x); }));
  else if constexpr (is<To, float> && is<From, s64_>)
    set(d, rounded<Round>([&] { return ::__ll2float_rn(x); }, [&] { return ::__ll2float_rz(x); },
                          [&] { return ::__ll2float_ru(x); }, [&] { return ::__ll2float_rd(x); }));
  else if constexpr (is<To, float> && is<From, u64_>)
    set(d,
        rounded<Round>([&] { return ::__ull2float_rn(x); }, [&] { return ::__ull2float_rz(x); },
                       [&] { return ::__ull2float_ru(x); }, [&] { return ::__ull2float_rd(x); }));
  else if constexpr (is<To, double> && is<From, s64_>)
    set(d,
        rounded<Round>([&] { return ::__ll2double_rn(x); }, [&] { return ::__ll2double_rz(x); },
                       [&] { return ::__ll2double_ru(x); }, [&] { return ::__ll2double_rd(x); }));
  else if constexpr (is<To, double> && is<From, u64_>)
    set(d,
        rounded<Round>([&] { return ::__ull2double_rn(x); }, [&] { return ::__ull2double_rz(x); },
                       [&] { return ::__ull2double_ru(x); }, [&] { return ::__ull2double_rd(x); }));
}

template <class Round, class Ftz, class To, class From, class Result, class First>
__forceinline__ void cvt_to_int(Result& d, First a) {
  const From x = read<From, Ftz>(a);
  if constexpr (is<From, float> && is<To, s32_>)
    set(d, static_cast<To>(rounded<Round>(
               [&] { return ::__float2int_rn(x); }, [&] { return ::__float2int_rz(x); },
               [&] { return ::__float2int_ru(x); }, [&] { return ::__float2int_rd(x); })));
  else if constexpr (is<From, float> && is<To, u32_>)
    set(d, static_cast<To>(rounded<Round>(
               [&] { return ::__float2uint_rn(x); }, [&] { return ::__float2uint_rz(x); },
               [&] { return ::__float2uint_ru(x); }, [&] { return ::__float2uint_rd(x); })));
  else if constexpr (is<From, float> && is<To, s64_>)
    set(d, static_cast<To>(rounded<Round>(
               [&] { return ::__float2ll_rn(x); }, [&] { return ::__float2ll_rz(x); },
               [&] { return ::__float2ll_ru(x); }, [&] { return ::__float2ll_rd(x); })));
  else if constexpr (is<From, float> && is<To, u64_>)
    set(d, static_cast<To>(rounded<Round>(
               [&] { return ::__float2ull_rn(x); }, [&] { return ::__float2ull_rz(x); },
               [&] { return ::__float2ull_ru(x); }, [&] { return ::__float2ull_rd(x); })));
  else if constexpr (is<From, double> && is<To, s32_>)
    set(d, static_cast<To>(rounded<Round>(
               [&] { return ::__double2int_rn(x); }, [&] { return ::__double2int_rz(x); },
               [&] { return ::__double2int_ru(x); }, [&] { return ::__double2int_rd(x); })));
  else if constexpr (is<From, double> && is<To, u32_>)
    set(d, static_cast<To>(rounded<Round>(
               [&] { return ::__double2uint_rn(x); }, [&] { return ::__double2uint_rz(x); },
               [&] { return ::__double2uint_ru(x); }, [&] { return ::__double2uint_rd(x); })));
  else if constexpr (is<From, double> && is<To, s64_>)
    set(d, static_cast<To>(rounded<Round>(
               [&] { return ::__double2ll_rn(x); }, [&] { return ::__double2ll_rz(x); },
               [&] { return ::__double2ll_ru(x); }, [&] { return ::__double2ll_rd(x); })));
  else if constexpr (is<From, double> && is<To, u64_>)
    set(d, static_cast<To>(rounded<Round>(
               [&] { return ::__double2ull_rn(x); }, [&] { return ::__double2ull_rz(x); },
               [&] { return ::__double2ull_ru(x); }, [&] { return ::__double2ull_rd(x); })));
}

template <class Ftz, class Result, class First>
__forceinline__ void cvt_widen(Result& d, First a) {
  set(d, static_cast<double>(read<float, Ftz>(a)));
}

template <class Round, class Ftz, class Sat, class Result, class First>
__forceinline__ void cvt_narrow(Result& d, First a) {
  const double x = get<double>(a);
  set(d, finished<Ftz, Sat>(rounded<Round>(
             [&] { return ::__double2float_rn(x); }, [&] { return ::__double2float_rz(x); },
             [&] { return ::__double2float_ru(x); }, [&] { return ::__double2float_rd(x); })));
}

/// Converts between numbers of one type: to an integral value, or only with .sat.
template <class Round, class Ftz, class Sat, class Type, class Result, class First>
__forceinline__ void cvt_same(Result& d, First a) {
  const Type x = read<Type, Ftz>(a);
  if constexpr (is<Round, none_>)
    set(d, finished<Ftz, Sat>(x));
  else if constexpr (is<Type, float>)
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] { return __builtin_rintf(x); }, [&] { return __builtin_truncf(x); },
               [&] { return __builtin_ceilf(x); }, [&] { return __builtin_floorf(x); })));
  else
    set(d, finished<Ftz, Sat>(rounded<Round>(
               [&] { return __builtin_rint(x); }, [&] { return __builtin_trunc(x); },
               [&] { return __builtin_ceil(x); }, [&] { return __builtin_floor(x); })));
}

// Sums with carry. `carry` is the flag; for a subtraction, the borrow.

template <class Type>
__forceinline__ std::make_unsigned_t<Type> sum_with(bool& carry, bool takes, bool leaves,
                                                    std::make_unsigned_t<Type> a,
                                                    std::make_unsigned_t<Type> b) {
  std::make_unsigned_t<Type> sum = 0;
  const bool first = __builtin_add_overflow(a, b, &sum);
  const bool second = takes && __builtin_add_overflow(sum, std::make_unsigned_t<Type>{carry}, &sum);
  if (leaves) carry = first || second;
  return sum;
}

template <class Type, class Result, class First, class Second>
__forceinline__ void add_cc(bool& carry, Result& d, First a, Second b) {
  set(d, sum_with<Type>(carry, false, true, get<std::make_unsigned_t<Type>>(a),
                        get<std::make_unsigned_t<Type>>(b)));
}
template <class Leaves, class Type, class Result, class First, class Second>
__forceinline__ void addc(bool& carry, Result& d, First a, Second b) {
  set(d, sum_with<Type>(carry, true, is<Leaves, cc_>, get<std::make_unsigned_t<Type>>(a),
                        get<std::make_unsigned_t<Type>>(b)));
}

template <class Type, class Result, class First, class Second>
__forceinline__ void difference_with(bool& borrow, bool takes, bool leaves, Result& d, First a,
                                     Second b) {
  using Bits = std::make_unsigned_t<Type>;
  Bits difference = 0;
  const bool first = __builtin_sub_overflow(get<Bits>(a), get<Bits>(b), &difference);
  const bool second = takes && __builtin_sub_overflow(difference, Bits{borrow}, &difference);
  if (leaves) borrow = first || second;
  set(d, difference);
}
template <class Type, class Result, class First, class Second>
__forceinline__ void sub_cc(bool& borrow, Result& d, First a, Second b) {
  difference_with<Type>(borrow, false, true, d, a, b);
}
template <class Leaves, class Type, class Result, class First, class Second>
__forceinline__ void subc(bool& borrow, Result& d, First a, Second b) {
  difference_with<Type>(borrow, true, is<Leaves, cc_>, d, a, b);
}

template <class Part, class Type, class Result, class First, class Second, class Third>
__forceinline__ void mad_cc(bool& carry, Result& d, First a, Second b, Third c) {
  using Bits = std::make_unsigned_t<Type>;
  set(d,
      sum_with<Type>(carry, false, true,
                     static_cast<Bits>(product<Part>(get<Type>(a), get<Type>(b))), get<Bits>(c)));
}
template <class Part, class Leaves, class Type, class Result, class First, class Second,
          class Third>
__forceinline__ void madc(bool& carry, Result& d, First a, Second b, Third c) {
  using Bits = std::make_unsigned_t<Type>;
  set(d,
      sum_with<Type>(carry, true, is<Leaves, cc_>,
                     static_cast<Bits>(product<Part>(get<Type>(a), get<Type>(b))), get<Bits>(c)));
}

// Approximations. A device's last bits differ, within the ISA's limits.

template <class Ftz, class Result, class First, class Function>
__forceinline__ void approximate(Result& d, First a, const Function& function) {
  set(d, finished<Ftz, none_>(function(read<float, Ftz>(a))));
}
template <class Ftz, class Result, class First>
__forceinline__ void approx_rcp(Result& d, First a) {
  approximate<Ftz>(d, a, [](float x) { return ::__frcp_rn(x); });
}
template <class Ftz, class Result, class First>
__forceinline__ void approx_sqrt(Result& d, First a) {
  approximate<Ftz>(d, a, [](float x) { return ::__fsqrt_rn(x); });
}
template <class Ftz, class Result, class First>
__forceinline__ void approx_rsqrt(Result& d, First a) {
  approximate<Ftz>(d, a, [](float x) { return ::rsqrtf(x); });
}
template <class Ftz, class Result, class First>
__forceinline__ void approx_ex2(Result& d, First a) {
  approximate<Ftz>(d, a, [](float x) { return ::exp2f(x); });
}
template <class Ftz, class Result, class First>
__forceinline__ void approx_lg2(Result& d, First a) {
  approximate<Ftz>(d, a, [](float x) { return ::log2f(x); });
}
template <class Ftz, class Result, class First>
__forceinline__ void approx_sin(Result& d, First a) {
  approximate<Ftz>(d, a, [](float x) { return ::sinf(x); });
}
template <class Ftz, class Result, class First>
__forceinline__ void approx_cos(Result& d, First a) {
  approximate<Ftz>(d, a, [](float x) { return ::cosf(x); });
}
template <class Result, class First>
__forceinline__ void approx_tanh(Result& d, First a) {
  approximate<none_>(d, a, [](float x) { return ::tanhf(x); });
}
template <class Ftz, class Result, class First, class Second>
__forceinline__ void approx_div(Result& d, First a, Second b) {
  set(d, finished<Ftz, none_>(::__fdividef(read<float, Ftz>(a), read<float, Ftz>(b))));
}

}  // namespace emu::ptx
