/// @file
/// SIMD intrinsics: operations on two halves or four bytes of an unsigned at a time.
///
/// In names, 2 and 4 are the number of lanes, s and u mean signed and unsigned, ss and us
/// saturation.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace emu::detail {

/// Applies `operation` to each lane of type `Lane`, as int; keeps the result's low bits.
template <class Lane, class Operation, class... Words>
constexpr unsigned lanewise(Operation operation, Words... words) {
  constexpr int kBits = 8 * sizeof(Lane);
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += kBits) {
    const int lane = operation(static_cast<int>(static_cast<Lane>(words >> shift))...);
    result |= static_cast<unsigned>(static_cast<std::make_unsigned_t<Lane>>(lane)) << shift;
  }
  return result;
}

template <class Lane>
constexpr int clamped(int value) {
  constexpr int kLowest = std::numeric_limits<Lane>::min();
  constexpr int kHighest = std::numeric_limits<Lane>::max();
  return value < kLowest ? kLowest : value > kHighest ? kHighest : value;
}

/// Sums |a - b| over the lanes.
template <class Lane>
constexpr unsigned sum_of_differences(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int shift = 0; shift < 32; shift += 8 * static_cast<int>(sizeof(Lane))) {
    const int difference = static_cast<int>(static_cast<Lane>(a >> shift)) -
                           static_cast<int>(static_cast<Lane>(b >> shift));
    sum += static_cast<unsigned>(difference < 0 ? -difference : difference);
  }
  return sum;
}

constexpr int smaller_int(int a, int b) { return b < a ? b : a; }
constexpr int larger_int(int a, int b) { return a < b ? b : a; }
/// Rounds the average to nearest, ties away from zero.
constexpr int signed_average(int a, int b) { return (a + b + (a + b >= 0)) >> 1; }

}  // namespace emu::detail

constexpr unsigned __vadd2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x + y; }, a, b);
}
constexpr unsigned __vaddss2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y) { return emu::detail::clamped<std::int16_t>(x + y); }, a, b);
}
constexpr unsigned __vaddus2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>(
      [](int x, int y) { return emu::detail::clamped<std::uint16_t>(x + y); }, a, b);
}
constexpr unsigned __vsub2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x - y; }, a, b);
}
constexpr unsigned __vsubss2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y) { return emu::detail::clamped<std::int16_t>(x - y); }, a, b);
}
constexpr unsigned __vsubus2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>(
      [](int x, int y) { return emu::detail::clamped<std::uint16_t>(x - y); }, a, b);
}
constexpr unsigned __vabs2(unsigned a) {
  return emu::detail::lanewise<std::int16_t>([](int x) { return x < 0 ? -x : x; }, a);
}
constexpr unsigned __vabsss2(unsigned a) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x) { return emu::detail::clamped<std::int16_t>(x < 0 ? -x : x); }, a);
}
constexpr unsigned __vneg2(unsigned a) {
  return emu::detail::lanewise<std::int16_t>([](int x) { return -x; }, a);
}
constexpr unsigned __vnegss2(unsigned a) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x) { return emu::detail::clamped<std::int16_t>(-x); }, a);
}
constexpr unsigned __vabsdiffs2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x < y ? y - x : x - y; }, a,
                                             b);
}
constexpr unsigned __vabsdiffu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x < y ? y - x : x - y; }, a,
                                              b);
}
constexpr unsigned __vavgs2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y) { return emu::detail::signed_average(x, y); }, a, b);
}
constexpr unsigned __vavgu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return (x + y + 1) >> 1; }, a, b);
}
constexpr unsigned __vhaddu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return (x + y) >> 1; }, a, b);
}
constexpr unsigned __vmaxs2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y) { return emu::detail::larger_int(x, y); }, a, b);
}
constexpr unsigned __vmaxu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>(
      [](int x, int y) { return emu::detail::larger_int(x, y); }, a, b);
}
constexpr unsigned __vmins2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y) { return emu::detail::smaller_int(x, y); }, a, b);
}
constexpr unsigned __vminu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>(
      [](int x, int y) { return emu::detail::smaller_int(x, y); }, a, b);
}

// Comparisons: __vcmp gives lanes of all ones or zeros, __vset of 1 or 0.
constexpr unsigned __vcmpeq2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x == y ? -1 : 0; }, a, b);
}
constexpr unsigned __vseteq2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x == y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpne2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x != y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetne2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x != y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpges2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x >= y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetges2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x >= y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpgeu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x >= y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetgeu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x >= y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpgts2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x > y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetgts2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x > y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpgtu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x > y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetgtu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x > y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmples2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x <= y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetles2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x <= y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpleu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x <= y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetleu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x <= y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmplts2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x < y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetlts2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>([](int x, int y) { return x < y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpltu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x < y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetltu2(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint16_t>([](int x, int y) { return x < y ? 1 : 0; }, a, b);
}

constexpr unsigned __vsads2(unsigned a, unsigned b) {
  return emu::detail::sum_of_differences<std::int16_t>(a, b);
}
constexpr unsigned __vsadu2(unsigned a, unsigned b) {
  return emu::detail::sum_of_differences<std::uint16_t>(a, b);
}

constexpr unsigned __vadd4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x + y; }, a, b);
}
constexpr unsigned __vaddss4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>(
      [](int x, int y) { return emu::detail::clamped<std::int8_t>(x + y); }, a, b);
}
constexpr unsigned __vaddus4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>(
      [](int x, int y) { return emu::detail::clamped<std::uint8_t>(x + y); }, a, b);
}
constexpr unsigned __vsub4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x - y; }, a, b);
}
constexpr unsigned __vsubss4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>(
      [](int x, int y) { return emu::detail::clamped<std::int8_t>(x - y); }, a, b);
}
constexpr unsigned __vsubus4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>(
      [](int x, int y) { return emu::detail::clamped<std::uint8_t>(x - y); }, a, b);
}
constexpr unsigned __vabs4(unsigned a) {
  return emu::detail::lanewise<std::int8_t>([](int x) { return x < 0 ? -x : x; }, a);
}
constexpr unsigned __vabsss4(unsigned a) {
  return emu::detail::lanewise<std::int8_t>(
      [](int x) { return emu::detail::clamped<std::int8_t>(x < 0 ? -x : x); }, a);
}
constexpr unsigned __vneg4(unsigned a) {
  return emu::detail::lanewise<std::int8_t>([](int x) { return -x; }, a);
}
constexpr unsigned __vnegss4(unsigned a) {
  return emu::detail::lanewise<std::int8_t>(
      [](int x) { return emu::detail::clamped<std::int8_t>(-x); }, a);
}
constexpr unsigned __vabsdiffs4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x < y ? y - x : x - y; }, a,
                                            b);
}
constexpr unsigned __vabsdiffu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x < y ? y - x : x - y; }, a,
                                             b);
}
constexpr unsigned __vavgs4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>(
      [](int x, int y) { return emu::detail::signed_average(x, y); }, a, b);
}
constexpr unsigned __vavgu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return (x + y + 1) >> 1; }, a, b);
}
constexpr unsigned __vhaddu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return (x + y) >> 1; }, a, b);
}
constexpr unsigned __vmaxs4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>(
      [](int x, int y) { return emu::detail::larger_int(x, y); }, a, b);
}
constexpr unsigned __vmaxu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>(
      [](int x, int y) { return emu::detail::larger_int(x, y); }, a, b);
}
constexpr unsigned __vmins4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>(
      [](int x, int y) { return emu::detail::smaller_int(x, y); }, a, b);
}
constexpr unsigned __vminu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>(
      [](int x, int y) { return emu::detail::smaller_int(x, y); }, a, b);
}

// Comparisons: __vcmp gives lanes of all ones or zeros, __vset of 1 or 0.
constexpr unsigned __vcmpeq4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x == y ? -1 : 0; }, a, b);
}
constexpr unsigned __vseteq4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x == y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpne4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x != y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetne4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x != y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpges4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x >= y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetges4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x >= y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpgeu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x >= y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetgeu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x >= y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpgts4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x > y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetgts4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x > y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpgtu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x > y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetgtu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x > y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmples4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x <= y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetles4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x <= y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpleu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x <= y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetleu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x <= y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmplts4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x < y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetlts4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int8_t>([](int x, int y) { return x < y ? 1 : 0; }, a, b);
}
constexpr unsigned __vcmpltu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x < y ? -1 : 0; }, a, b);
}
constexpr unsigned __vsetltu4(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::uint8_t>([](int x, int y) { return x < y ? 1 : 0; }, a, b);
}

constexpr unsigned __vsads4(unsigned a, unsigned b) {
  return emu::detail::sum_of_differences<std::int8_t>(a, b);
}
constexpr unsigned __vsadu4(unsigned a, unsigned b) {
  return emu::detail::sum_of_differences<std::uint8_t>(a, b);
}

// Minimum and maximum of three values, of a sum, and with zero (relu), for words and pairs of
// halves.
constexpr int __vimax3_s32(int a, int b, int c) {
  return emu::detail::larger_int(emu::detail::larger_int(a, b), c);
}
constexpr int __vimax3_s32_relu(int a, int b, int c) {
  return emu::detail::larger_int(__vimax3_s32(a, b, c), 0);
}
constexpr int __vimax_s32_relu(int a, int b) {
  return emu::detail::larger_int(emu::detail::larger_int(a, b), 0);
}
constexpr unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) {
  const unsigned ab = a < b ? b : a;
  return ab < c ? c : ab;
}
constexpr int __viaddmax_s32(int a, int b, int c) {
  return emu::detail::larger_int(
      static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);
}
constexpr int __viaddmax_s32_relu(int a, int b, int c) {
  return emu::detail::larger_int(__viaddmax_s32(a, b, c), 0);
}
constexpr unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c) {
  const unsigned sum = a + b;
  return sum < c ? c : sum;
}
constexpr unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y, int z) { return emu::detail::larger_int(emu::detail::larger_int(x, y), z); },
      a, b, c);
}
constexpr unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y, int z) {
        return emu::detail::larger_int(static_cast<std::int16_t>(x + y), z);
      },
      a, b, c);
}
constexpr unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::uint16_t>(
      [](int x, int y, int z) { return emu::detail::larger_int(emu::detail::larger_int(x, y), z); },
      a, b, c);
}
constexpr unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::uint16_t>(
      [](int x, int y, int z) {
        return emu::detail::larger_int(static_cast<std::uint16_t>(x + y), z);
      },
      a, b, c);
}
constexpr unsigned __vimax_s16x2_relu(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y) { return emu::detail::larger_int(emu::detail::larger_int(x, y), 0); }, a, b);
}
constexpr unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y, int z) {
        return emu::detail::larger_int(emu::detail::larger_int(emu::detail::larger_int(x, y), z),
                                       0);
      },
      a, b, c);
}
constexpr unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y, int z) {
        return emu::detail::larger_int(emu::detail::larger_int(static_cast<std::int16_t>(x + y), z),
                                       0);
      },
      a, b, c);
}
constexpr int __vibmax_s32(int a, int b, bool* a_chosen) {
  *a_chosen = a >= b;
  return *a_chosen ? a : b;
}
constexpr unsigned __vibmax_u32(unsigned a, unsigned b, bool* a_chosen) {
  *a_chosen = a >= b;
  return *a_chosen ? a : b;
}
constexpr unsigned __vibmax_s16x2(unsigned a, unsigned b, bool* high_a_chosen, bool* low_a_chosen) {
  *high_a_chosen = static_cast<std::int16_t>(a >> 16) >= static_cast<std::int16_t>(b >> 16);
  *low_a_chosen = static_cast<std::int16_t>(a) >= static_cast<std::int16_t>(b);
  return (*high_a_chosen ? a : b) >> 16 << 16 | ((*low_a_chosen ? a : b) & 0xffffu);
}
constexpr unsigned __vibmax_u16x2(unsigned a, unsigned b, bool* high_a_chosen, bool* low_a_chosen) {
  *high_a_chosen = static_cast<std::uint16_t>(a >> 16) >= static_cast<std::uint16_t>(b >> 16);
  *low_a_chosen = static_cast<std::uint16_t>(a) >= static_cast<std::uint16_t>(b);
  return (*high_a_chosen ? a : b) >> 16 << 16 | ((*low_a_chosen ? a : b) & 0xffffu);
}

constexpr int __vimin3_s32(int a, int b, int c) {
  return emu::detail::smaller_int(emu::detail::smaller_int(a, b), c);
}
constexpr int __vimin3_s32_relu(int a, int b, int c) {
  return emu::detail::larger_int(__vimin3_s32(a, b, c), 0);
}
constexpr int __vimin_s32_relu(int a, int b) {
  return emu::detail::larger_int(emu::detail::smaller_int(a, b), 0);
}
constexpr unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) {
  const unsigned ab = b < a ? b : a;
  return c < ab ? c : ab;
}
constexpr int __viaddmin_s32(int a, int b, int c) {
  return emu::detail::smaller_int(
      static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);
}
constexpr int __viaddmin_s32_relu(int a, int b, int c) {
  return emu::detail::larger_int(__viaddmin_s32(a, b, c), 0);
}
constexpr unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) {
  const unsigned sum = a + b;
  return c < sum ? c : sum;
}
constexpr unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y, int z) {
        return emu::detail::smaller_int(emu::detail::smaller_int(x, y), z);
      },
      a, b, c);
}
constexpr unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y, int z) {
        return emu::detail::smaller_int(static_cast<std::int16_t>(x + y), z);
      },
      a, b, c);
}
constexpr unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::uint16_t>(
      [](int x, int y, int z) {
        return emu::detail::smaller_int(emu::detail::smaller_int(x, y), z);
      },
      a, b, c);
}
constexpr unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::uint16_t>(
      [](int x, int y, int z) {
        return emu::detail::smaller_int(static_cast<std::uint16_t>(x + y), z);
      },
      a, b, c);
}
constexpr unsigned __vimin_s16x2_relu(unsigned a, unsigned b) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y) { return emu::detail::larger_int(emu::detail::smaller_int(x, y), 0); }, a,
      b);
}
constexpr unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y, int z) {
        return emu::detail::larger_int(emu::detail::smaller_int(emu::detail::smaller_int(x, y), z),
                                       0);
      },
      a, b, c);
}
constexpr unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return emu::detail::lanewise<std::int16_t>(
      [](int x, int y, int z) {
        return emu::detail::larger_int(
            emu::detail::smaller_int(static_cast<std::int16_t>(x + y), z), 0);
      },
      a, b, c);
}
constexpr int __vibmin_s32(int a, int b, bool* a_chosen) {
  *a_chosen = a <= b;
  return *a_chosen ? a : b;
}
constexpr unsigned __vibmin_u32(unsigned a, unsigned b, bool* a_chosen) {
  *a_chosen = a <= b;
  return *a_chosen ? a : b;
}
constexpr unsigned __vibmin_s16x2(unsigned a, unsigned b, bool* high_a_chosen, bool* low_a_chosen) {
  *high_a_chosen = static_cast<std::int16_t>(a >> 16) <= static_cast<std::int16_t>(b >> 16);
  *low_a_chosen = static_cast<std::int16_t>(a) <= static_cast<std::int16_t>(b);
  return (*high_a_chosen ? a : b) >> 16 << 16 | ((*low_a_chosen ? a : b) & 0xffffu);
}
constexpr unsigned __vibmin_u16x2(unsigned a, unsigned b, bool* high_a_chosen, bool* low_a_chosen) {
  *high_a_chosen = static_cast<std::uint16_t>(a >> 16) <= static_cast<std::uint16_t>(b >> 16);
  *low_a_chosen = static_cast<std::uint16_t>(a) <= static_cast<std::uint16_t>(b);
  return (*high_a_chosen ? a : b) >> 16 << 16 | ((*low_a_chosen ? a : b) & 0xffffu);
}
