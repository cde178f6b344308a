// Tests rounding, conversions and integer intrinsics against exact arithmetic.
#include <doctest/doctest.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "emulator/device_library.h"

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int kLowestInt = std::numeric_limits<int>::min(),
              kHighestInt = std::numeric_limits<int>::max();

// Checks the four roundings of one exact value, in the order rn, rz, ru, rd.
void check_roundings(long double exact, float nearest, float zero, float up, float down) {
  CHECK(up >= exact);
  CHECK(down <= exact);
  CHECK(std::nextafter(down, kInfinity) >= up);
  CHECK(zero == (exact > 0 ? down : up));
  CHECK((nearest == up || nearest == down));
  CHECK(std::fabs(exact - nearest) <= std::fabs(exact - up));
  CHECK(std::fabs(exact - nearest) <= std::fabs(exact - down));
}

unsigned reference_popc(unsigned long long x) {
  unsigned count = 0;
  for (; x != 0; x >>= 1) count += x & 1;
  return count;
}

}  // namespace

TEST_CASE("every rounding of arithmetic is on its side of the exact result") {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> number(-3, 3);
  for (int i = 0; i < 200; ++i) {
    const float x = number(random), y = number(random), z = number(random);
    CAPTURE(x);
    CAPTURE(y);
    const long double wide_x = x, wide_y = y, wide_z = z;
    check_roundings(wide_x + wide_y, __fadd_rn(x, y), __fadd_rz(x, y), __fadd_ru(x, y),
                    __fadd_rd(x, y));
    check_roundings(wide_x - wide_y, __fsub_rn(x, y), __fsub_rz(x, y), __fsub_ru(x, y),
                    __fsub_rd(x, y));
    check_roundings(wide_x * wide_y, __fmul_rn(x, y), __fmul_rz(x, y), __fmul_ru(x, y),
                    __fmul_rd(x, y));
    check_roundings(wide_x * wide_y + wide_z, __fmaf_rn(x, y, z), __fmaf_rz(x, y, z),
                    __fmaf_ru(x, y, z), __fmaf_rd(x, y, z));
    check_roundings(wide_x / wide_y, __fdiv_rn(x, y), __fdiv_rz(x, y), __fdiv_ru(x, y),
                    __fdiv_rd(x, y));
    check_roundings(1 / wide_x, __frcp_rn(x), __frcp_rz(x), __frcp_ru(x), __frcp_rd(x));
    const float a = std::fabs(x);
    check_roundings(std::sqrt(static_cast<long double>(a)), __fsqrt_rn(a), __fsqrt_rz(a),
                    __fsqrt_ru(a), __fsqrt_rd(a));
    const double wide = static_cast<double>(x) * y;
    check_roundings(wide, __double2float_rn(wide), __double2float_rz(wide), __double2float_ru(wide),
                    __double2float_rd(wide));
  }
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("overflow and underflow stop where the rounding says") {
  CHECK(__fadd_rn(kLargest, kLargest) == kInfinity);
  CHECK(__fadd_rz(kLargest, kLargest) == kLargest);
  CHECK(__fadd_ru(-kLargest, -kLargest) == -kLargest);
  CHECK(__fmul_rd(kLargest, 2.0f) == kLargest);
  CHECK(__fmul_ru(0x1p-149f, 0x1p-10f) == 0x1p-149f);
  CHECK(__fmul_rd(0x1p-149f, 0x1p-10f) == 0.0f);
  CHECK(__dadd_ru(1.0, 0x1p-80) == 1.0 + 0x1p-52);
  CHECK(__dadd_rd(1.0, 0x1p-80) == 1.0);
  CHECK(__dsub_rz(1.0, 0x1p-80) == 1.0 - 0x1p-53);
  CHECK(__ddiv_ru(1.0, 3.0) > __ddiv_rd(1.0, 3.0));
  CHECK(__dsqrt_ru(2.0) == std::nextafter(__dsqrt_rd(2.0), 2.0));
  CHECK(__fma_ru(1.0, 1.0, 0x1p-100) == 1.0 + 0x1p-52);
  CHECK(std::signbit(__fadd_rd(1.0f, -1.0f)));
  CHECK_FALSE(std::signbit(__fadd_rn(1.0f, -1.0f)));
  CHECK(__ll2float_ru(0x7fffffffffffffffll) == 0x1p63f);
  CHECK(__ll2float_rz(0x7fffffffffffffffll) == 0x1.fffffep62f);
  CHECK(__ull2double_rd(~0ull) == 0x1.fffffffffffffp63);
  CHECK(__uint2float_rd(0xffffffffu) == 0x1.fffffep31f);
  CHECK(__int2float_rn(16777217) == 16777216.0f);
  CHECK(__int2float_ru(16777217) == 16777218.0f);
}

TEST_CASE("conversions to integers round, saturate and know NaN") {
  CHECK(__float2int_rn(2.5f) == 2);
  CHECK(__float2int_rn(3.5f) == 4);
  CHECK(__float2int_rz(-2.9f) == -2);
  CHECK(__float2int_ru(-2.9f) == -2);
  CHECK(__float2int_rd(-2.1f) == -3);
  CHECK(__float2int_rz(1e20f) == kHighestInt);
  CHECK(__float2int_rz(-kInfinity) == kLowestInt);
  CHECK(__float2int_rz(0x1p31f) == kHighestInt);
  CHECK(__float2int_rz(-0x1p31f) == kLowestInt);
  CHECK(__float2int_rn(kNan) == 0);
  CHECK(__float2uint_rz(-5.0f) == 0);
  CHECK(__float2uint_rn(-0.4f) == 0);
  CHECK(__float2uint_rz(5e9f) == 0xffffffffu);
  CHECK(__float2uint_ru(0.1f) == 1);
  CHECK(__float2ll_rz(1e30f) == std::numeric_limits<long long>::max());
  CHECK(__float2ull_rz(-1.0f) == 0);
  CHECK(__float2ull_rz(0x1p64f) == ~0ull);
  // With 64 bits, NaN converts to the highest bit alone, as on an H200.
  CHECK(static_cast<unsigned long long>(__float2ll_rz(kNan)) == 1ull << 63);
  CHECK(__double2int_rz(std::nan("")) == kLowestInt);
  CHECK(__double2uint_rn(std::nan("")) == 0x80000000u);
  CHECK(__double2int_rn(2147483647.4) == kHighestInt);
  CHECK(__double2int_ru(2147483646.1) == kHighestInt);
  CHECK(__double2ll_rd(-1.5) == -2);
  CHECK(__double2ull_rn(0x1p63) == 1ull << 63);
}

TEST_CASE("bits and numbers") {
  CHECK(__float_as_int(1.0f) == 0x3f800000);
  CHECK(__int_as_float(static_cast<int>(0xff800000u)) == -kInfinity);
  CHECK(__uint_as_float(__float_as_uint(-2.5f)) == -2.5f);
  CHECK(__double_as_longlong(1.0) == 0x3ff0000000000000ll);
  CHECK(__longlong_as_double(0x4000000000000000ll) == 2.0);
  CHECK(__double2hiint(-2.0) == static_cast<int>(0xc0000000u));
  CHECK(__double2loint(1.0 + 0x1p-52) == 1);
  CHECK(__hiloint2double(__double2hiint(3.14159), __double2loint(3.14159)) == 3.14159);
}

TEST_CASE("integer intrinsics") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 100; ++i) {
    const unsigned long long wide = random() >> (random() % 64), other = random();
    const unsigned a = static_cast<unsigned>(wide), b = static_cast<unsigned>(other);
    const int signed_a = static_cast<int>(a), signed_b = static_cast<int>(b);
    CAPTURE(wide);
    CHECK(static_cast<unsigned>(__popc(a)) == reference_popc(a));
    CHECK(static_cast<unsigned>(__popcll(wide)) == reference_popc(wide));
    CHECK(__brev(__brev(a)) == a);
    CHECK(__brevll(__brevll(wide)) == wide);
    CHECK((__brev(a) & 1) == a >> 31);
    CHECK(static_cast<long long>(__mulhi(signed_a, signed_b)) ==
          (static_cast<long long>(signed_a) * signed_b) >> 32);
    CHECK(__umul64hi(wide, other) -
              static_cast<unsigned long long>(
                  __mul64hi(static_cast<long long>(wide), static_cast<long long>(other))) ==
          (static_cast<long long>(wide) < 0 ? other : 0) +
              (static_cast<long long>(other) < 0 ? wide : 0));
    CHECK(__usad(a, b, 5) == (a > b ? a - b : b - a) + 5);
    CHECK(__funnelshift_l(a, b, 0) == b);
    CHECK(__funnelshift_r(a, b, 0) == a);
    CHECK(__funnelshift_l(a, a, 7) == (a << 7 | a >> 25));
    CHECK(__byte_perm(a, b, 0x3210) == a);
    CHECK(__byte_perm(a, b, 0x7654) == b);
    CHECK(__byte_perm(a, b, 0x0123) == __builtin_bswap32(a));
    CHECK(__hadd(signed_a, signed_b) <= __rhadd(signed_a, signed_b));
    CHECK(static_cast<long long>(__hadd(signed_a, signed_b)) ==
          (static_cast<long long>(signed_a) + signed_b) >> 1);
  }
  CHECK(__clz(0) == 32);
  CHECK(__clz(1) == 31);
  CHECK(__clz(-1) == 0);
  CHECK(__clzll(0) == 64);
  CHECK(__ffs(0) == 0);
  CHECK(__ffs(kLowestInt) == 32);
  CHECK(__ffsll(1ll << 40) == 41);
  CHECK(__funnelshift_lc(1, 2, 32) == 1);
  CHECK(__funnelshift_rc(1, 2, 99) == 2);
  CHECK(__mul24(-3, 5) == -15);
  CHECK(__mul24(0x800001, 1) == static_cast<int>(0xff800001u));
  CHECK(__umul24(0xff000003u, 0xff000004u) == 12);
  CHECK(__sad(-5, 7, 1) == 13);
  CHECK(__sad(kLowestInt, kHighestInt, 0) == 0xffffffffu);
  CHECK(__rhadd(3, 4) == 4);
  CHECK(__uhadd(0xffffffffu, 0xffffffffu) == 0xffffffffu);
  CHECK(__urhadd(0, 1) == 1);
  CHECK(__fns(0b10110, 0, 2) == 2);
  CHECK(__fns(0b10110, 4, -2) == 2);
  CHECK(__fns(0b10110, 3, 0) == 0xffffffffu);
  CHECK(__fns(0b10110, 2, 0) == 2);
  CHECK(__fns(0b10110, 0, 4) == 0xffffffffu);
  CHECK(__dp4a(0x01fe0304, 0x02030405, 10) == 10 + 2 - 6 + 12 + 20);
  CHECK(__dp4a(0xffu, 0xffu, 0u) == 65025u);
  CHECK(__dp4a(char4{1, -2, 3, 4}, char4{5, 6, 7, 8}, 1) == 1 + 5 - 12 + 21 + 32);
  CHECK(__dp2a_lo(short2{1000, -2}, char4{3, 4, 5, 6}, 0) == 2992);
  CHECK(__dp2a_hi(ushort2{1000, 2}, uchar4{3, 4, 5, 6}, 7u) == 5019u);
  CHECK(__nv_bswap16(0x1234) == 0x3412);
}

TEST_CASE("lanes of two and four do not disturb each other") {
  CHECK(__vadd4(0x01ff7f80, 0x01010180) == 0x02008000);
  CHECK(__vaddss4(0x017f7f80, 0x01010180) == 0x027f7f80u);
  CHECK(__vaddus4(0x01ff7f80, 0x01010180) == 0x02ff80ff);
  CHECK(__vsub2(0x00010000, 0x00020001) == 0xffffffffu);
  CHECK(__vsubus2(0x00010005, 0x00020001) == 0x00000004);
  CHECK(__vabsdiffu4(0x01ff0080, 0x02008000) == 0x01ff8080);
  CHECK(__vabs2(0xffff8000u) == 0x00018000);
  CHECK(__vabsss2(0xffff8000u) == 0x00017fff);
  CHECK(__vmaxs4(0xff01807f, 0x00ff7f80) == 0x00017f7fu);
  CHECK(__vmaxu4(0xff01807f, 0x00ff7f80) == 0xffff8080);
  CHECK(__vcmpgtu2(0x00020001, 0x00010001) == 0xffff0000u);
  CHECK(__vseteq4(0x01020304, 0x01000300) == 0x01000100);
  CHECK(__vsadu4(0x01020304, 0x04030201) == 8);
  CHECK(__vavgu4(0x00010203, 0x01010101) == 0x01010202);
  CHECK(__vhaddu2(0x00010003, 0x00020003) == 0x00010003);
  CHECK(__vneg4(0x00017f80) == 0x00ff8180);
  CHECK(__vimax3_s32(-5, 3, 2) == 3);
  CHECK(__vimin3_s32_relu(-5, 3, 2) == 0);
  bool high = true, low = false;
  CHECK(__vibmin_u16x2(0x00050001, 0x00040002, &high, &low) == 0x00040001);
  CHECK_FALSE(high);
  CHECK(low);
}
