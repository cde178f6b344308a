/// @file
/// Integer intrinsics: bits, bytes, wide products, dot products.
#pragma once

#include <cstdint>

#include "vector_types.h"

constexpr int __popc(unsigned x) { return __builtin_popcount(x); }
constexpr int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
constexpr int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
constexpr int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
constexpr int __ffs(int x) { return __builtin_ffs(x); }
constexpr int __ffsll(long long x) { return __builtin_ffsll(x); }

constexpr unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
constexpr unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}

/// Returns the position of the `offset`-th set bit of `mask`, counted from bit `base` upwards, or
/// downwards for a negative offset; with offset 0, `base` if that bit is set. 0xffffffff if there
/// is none.
constexpr unsigned __fns(unsigned mask, unsigned base, int offset) {
  constexpr unsigned kNone = 0xffffffffu;
  constexpr unsigned kBits = 32;
  if (offset == 0) return base < kBits && (mask >> base & 1) != 0 ? base : kNone;
  unsigned left = offset < 0 ? 0u - static_cast<unsigned>(offset) : static_cast<unsigned>(offset);
  for (unsigned bit = base; bit < kBits; bit += offset < 0 ? kNone : 1)
    if ((mask >> bit & 1) != 0 && --left == 0) return bit;
  return kNone;
}

/// Selects four bytes of x (0 to 3) and y (4 to 7). The low three bits of each of the four nibbles
/// of `selector` choose one.
constexpr unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned byte = selector >> (4 * i) & 7;
    result |= static_cast<unsigned>(bytes >> (8 * byte) & 0xff) << (8 * i);
  }
  return result;
}

constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((std::uint64_t{high} << 32 | low) << (shift & 31)) >> 32);
}
constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
constexpr unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
constexpr unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

/// The product of the low 24 bits of each, modulo 2^32.
constexpr unsigned __umul24(unsigned x, unsigned y) {
  constexpr unsigned kLow24 = 0xffffffu;
  return (x & kLow24) * (y & kLow24);
}
constexpr int __mul24(int x, int y) {
  const int signed_x = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
  const int signed_y = static_cast<int>(static_cast<unsigned>(y) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(signed_x) * static_cast<unsigned>(signed_y));
}

constexpr int __mulhi(int x, int y) { return static_cast<int>(std::int64_t{x} * y >> 32); }
constexpr unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(std::uint64_t{x} * y >> 32);
}
constexpr unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<unsigned long long>(Wide{x} * y >> 64);
}
constexpr long long __mul64hi(long long x, long long y) {
  __extension__ using Wide = __int128;
  return static_cast<long long>(Wide{x} * y >> 64);
}

/// |x - y| + z
constexpr unsigned __usad(unsigned x, unsigned y, unsigned z) {
  return (x < y ? y - x : x - y) + z;
}
constexpr unsigned __sad(int x, int y, unsigned z) {
  const unsigned a = static_cast<unsigned>(x), b = static_cast<unsigned>(y);
  return (x < y ? b - a : a - b) + z;
}

/// Averages without overflow, rounded down (__hadd) or up (__rhadd).
constexpr int __hadd(int x, int y) { return static_cast<int>((std::int64_t{x} + y) >> 1); }
constexpr int __rhadd(int x, int y) { return static_cast<int>((std::int64_t{x} + y + 1) >> 1); }
constexpr unsigned __uhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((std::uint64_t{x} + y) >> 1);
}
constexpr unsigned __urhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((std::uint64_t{x} + y + 1) >> 1);
}

namespace emu::detail {

/// Returns the sum of products of `count` lanes. Lanes of a have `a_bits` bits; lanes of b are
/// bytes, beginning with byte `first`.
template <class Integer, int a_bits>
constexpr Integer dot(Integer a, Integer b, Integer sum, int first, int count) {
  using Bits = unsigned;
  Bits total = static_cast<Bits>(sum);
  for (int i = 0; i < count; ++i) {
    const int a_shift = 32 - a_bits * (i + 1), b_shift = 32 - 8 * (first + i + 1);
    // Shift left to the top, then right, which extends the type's sign.
    const Integer a_lane = static_cast<Integer>(static_cast<Bits>(a) << a_shift) >> (32 - a_bits);
    const Integer b_lane = static_cast<Integer>(static_cast<Bits>(b) << b_shift) >> 24;
    total += static_cast<Bits>(a_lane) * static_cast<Bits>(b_lane);
  }
  return static_cast<Integer>(total);
}

template <class Integer, class Vector>
constexpr Integer bits_of(Vector v) {
  return __builtin_bit_cast(Integer, v);
}

}  // namespace emu::detail

/// Sums four products of bytes.
constexpr int __dp4a(int a, int b, int c) { return emu::detail::dot<int, 8>(a, b, c, 0, 4); }
constexpr unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return emu::detail::dot<unsigned, 8>(a, b, c, 0, 4);
}
constexpr int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(emu::detail::bits_of<int>(a), emu::detail::bits_of<int>(b), c);
}
constexpr unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(emu::detail::bits_of<unsigned>(a), emu::detail::bits_of<unsigned>(b), c);
}

/// Sums two products of a's halves with b's low (_lo) or high (_hi) two bytes.
constexpr int __dp2a_lo(int a, int b, int c) { return emu::detail::dot<int, 16>(a, b, c, 0, 2); }
constexpr unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return emu::detail::dot<unsigned, 16>(a, b, c, 0, 2);
}
constexpr int __dp2a_lo(short2 a, char4 b, int c) {
  return __dp2a_lo(emu::detail::bits_of<int>(a), emu::detail::bits_of<int>(b), c);
}
constexpr unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
  return __dp2a_lo(emu::detail::bits_of<unsigned>(a), emu::detail::bits_of<unsigned>(b), c);
}
constexpr int __dp2a_hi(int a, int b, int c) { return emu::detail::dot<int, 16>(a, b, c, 2, 2); }
constexpr unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return emu::detail::dot<unsigned, 16>(a, b, c, 2, 2);
}
constexpr int __dp2a_hi(short2 a, char4 b, int c) {
  return __dp2a_hi(emu::detail::bits_of<int>(a), emu::detail::bits_of<int>(b), c);
}
constexpr unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
  return __dp2a_hi(emu::detail::bits_of<unsigned>(a), emu::detail::bits_of<unsigned>(b), c);
}

constexpr unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
constexpr unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
constexpr unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
