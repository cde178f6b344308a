// Tests the functions of the device library on the host: known values, identities, limits, and the
// C++ library's functions for comparison.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>
#include <valarray>
#include <vector>

#include "emulator/device_library.h"
#include "math_constants.h"

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kInfinityF = std::numeric_limits<float>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();

bool near(double a, double b, double tolerance = 1e-15) {
  return a == b || std::fabs(a - b) <= tolerance * std::fmax(std::fabs(a), std::fabs(b));
}

}  // namespace

TEST_CASE("known values") {
  CHECK(rsqrt(4.0) == 0.5);
  CHECK(rsqrtf(0.0625f) == 4.0f);
  CHECK(rsqrt(0.0) == kInfinity);
  CHECK(rsqrtf(-0.0f) == -kInfinityF);
  CHECK(std::isnan(rsqrt(-1.0)));
  CHECK(rsqrt(kInfinity) == 0);
  CHECK(rcbrt(-8.0) == -0.5);
  CHECK(rcbrtf(27.0f) == 1.0f / 3.0f);
  CHECK(exp10(3.0f) == 1000.0f);
  CHECK(erfinv(0.5) == doctest::Approx(0.476936276204469873381).epsilon(1e-15));
  CHECK(erfcinv(0.5) == doctest::Approx(0.476936276204469873381).epsilon(1e-15));
  CHECK(erfcinv(1e-300) == doctest::Approx(26.209469960516123).epsilon(1e-14));
  CHECK(erfcx(0.0) == 1);
  CHECK(erfcx(1.0) == doctest::Approx(0.427583576155807004411).epsilon(1e-15));
  CHECK(erfcx(30.0) == doctest::Approx(0.0187958888614167514506).epsilon(1e-15));
  CHECK(erfcx(-30.0) == kInfinity);
  CHECK(normcdf(0.0) == 0.5);
  CHECK(normcdf(1.96) == doctest::Approx(0.975002104851779543).epsilon(1e-15));
  CHECK(normcdf(-38.0) == doctest::Approx(2.88542835e-316).epsilon(1e-4));
  CHECK(normcdfinv(0.975) == doctest::Approx(1.95996398454005423552).epsilon(1e-15));
  CHECK(normcdfinv(1e-10) == doctest::Approx(-6.36134090240405).epsilon(1e-14));
  CHECK(cyl_bessel_i0(0.0) == 1);
  CHECK(cyl_bessel_i0(1.0) == doctest::Approx(1.26606587775200833560).epsilon(1e-15));
  CHECK(cyl_bessel_i1(1.0) == doctest::Approx(0.565159103992485027208).epsilon(1e-15));
  CHECK(cyl_bessel_i1(-700.0) == -cyl_bessel_i1(700.0));
  CHECK(cyl_bessel_i0(800.0) == kInfinity);
  CHECK(j0(2.404825557695773) == doctest::Approx(0).epsilon(1e-14));
  CHECK(norm3d(2.0, 3.0, 6.0) == 7);
  CHECK(norm4df(1.0f, 2.0f, 4.0f, 10.0f) == 11.0f);
  CHECK(rnorm4d(1.0, 1.0, 1.0, 1.0) == 0.5);
  CHECK(rhypot(3.0, 4.0) == 0.2);
  CHECK(norm3d(1e300, 1e300, 0.0) == doctest::Approx(std::sqrt(2.0) * 1e300).epsilon(1e-15));
  CHECK(norm3d(kNan, kInfinity, 1.0) == kInfinity);
  CHECK(rnorm3d(kNan, -kInfinity, 1.0) == 0);
  const double four[] = {1, 2, 2, 4};
  CHECK(norm(4, four) == 5);
  CHECK(rnorm(3, four) == doctest::Approx(1.0 / 3));
  CHECK(norm(0, four) == 0);
  CHECK(rnorm(0, four) == kInfinity);
}

TEST_CASE("functions of multiples of pi are exact where they can be") {
  for (int n = -8; n <= 8; ++n) {
    CAPTURE(n);
    CHECK(sinpi(static_cast<double>(n)) == 0);
    CHECK(cospi(n + 0.5) == 0);
    CHECK_FALSE(std::signbit(cospi(n + 0.5)));
    CHECK(cospi(static_cast<double>(n)) == (n % 2 == 0 ? 1 : -1));
    CHECK(sinpi(n + 0.5) == (n % 2 == 0 ? 1 : -1));
    CHECK(sinpif(static_cast<float>(n) + 0.25f) == sinpi(static_cast<float>(n) + 0.25f));
  }
  CHECK(std::signbit(sinpi(-0.0)));
  CHECK(sinpi(1e300) == 0);
  CHECK(cospi(1e300) == 1);
  CHECK(std::isnan(sinpi(kInfinity)));
  CHECK(std::isnan(cospif(-kInfinityF)));
  CHECK(sinpi(1.0 / 6) == doctest::Approx(0.5).epsilon(1e-15));
  double sine = 0, cosine = 0;
  sincospi(0.25, &sine, &cosine);
  CHECK(sine == cosine);
  float sine_f = 0, cosine_f = 0;
  sincos(1.0f, &sine_f, &cosine_f);
  CHECK(sine_f == sinf(1.0f));
  __sincosf(2.0f, &sine_f, &cosine_f);
  CHECK(cosine_f == cosf(2.0f));
}

TEST_CASE("inverses undo their functions") {
  for (double x = -0.999; x < 1; x += 0.037) {
    CAPTURE(x);
    CHECK(near(std::erf(erfinv(x)), x, 4e-16));
    CHECK(near(std::erfc(erfcinv(x + 1)), x + 1, 4e-15));
    const double p = (x + 1) / 2;
    CHECK(near(normcdf(normcdfinv(p)), p, 4e-15));
    CHECK(erfinv(-x) == -erfinv(x));
  }
  for (double exponent = -300; exponent < -1; exponent += 13.7) {
    const double p = std::pow(10, exponent);
    CAPTURE(p);
    CHECK(near(std::erfc(erfcinv(p)), p, 3e-13));
    CHECK(near(normcdf(normcdfinv(p)), p, 3e-13));
  }
  CHECK(erfinv(1.0) == kInfinity);
  CHECK(erfinv(-1.0f) == -kInfinityF);
  CHECK(std::isnan(erfinv(1.5)));
  CHECK(erfcinv(0.0) == kInfinity);
  CHECK(erfcinv(2.0) == -kInfinity);
  CHECK(erfcinv(1.0) == 0);
  CHECK(normcdfinv(0.5) == 0);
  CHECK(std::isnan(normcdfinv(-0.1)));
}

TEST_CASE("erfcx is smooth where its two methods meet") {
  for (double x = 11.5; x < 12.5; x += 0.01) {
    CAPTURE(x);
    const long double wide = x;
    CHECK(near(erfcx(x), static_cast<double>(std::exp(wide * wide) * std::erfc(wide)), 1e-15));
  }
}

TEST_CASE("minimum and maximum of numbers of every type") {
  CHECK(min(3, 4) == 3);
  CHECK(max(-1, 1u) == 0xffffffffu);
  CHECK(min(-1, 1u) == 1u);
  CHECK(max(5l, -7l) == 5);
  CHECK(min(5ul, 7l) == 5);
  CHECK(max(5ll, 7ull) == 7);
  CHECK(min(1.5f, 2.5f) == 1.5f);
  CHECK(max(1.5f, 2.5) == 2.5);
  CHECK(min(static_cast<short>(3), static_cast<short>(2)) == 2);
  CHECK(min(kNanF, 1.0f) == 1.0f);
  CHECK(max(1.0, kNan) == 1.0);
  CHECK(std::isnan(min(kNan, kNan)));
  CHECK(std::signbit(min(0.0f, -0.0f)));
  CHECK_FALSE(std::signbit(max(-0.0f, 0.0f)));
  CHECK(umin(3u, 0x80000000u) == 3u);
  CHECK(llmax(-1, 1) == 1);
  CHECK(ullmin(~0ull, 1) == 1);
  static_assert(std::is_same_v<decltype(min(1, 2u)), unsigned>);
  static_assert(std::is_same_v<decltype(max(1.0f, 2.0f)), float>);
  static_assert(std::is_same_v<decltype(max(1.0f, 2.0)), double>);
  static_assert(min(2, 1) == 1 && max(1.0f, 2.0f) == 2.0f);
}

TEST_CASE("the C++ library keeps working beside the device library") {
  using namespace std;
  CHECK(min(3, 4) == 3);
  CHECK(max(1.5, 2.5) == 2.5);
  CHECK(min(string("a"), string("b")) == "a");
  CHECK(max({1, 5, 3}) == 5);
  CHECK(min<long>(3, 4) == 3);
  CHECK(min(2, 1, greater<int>()) == 2);
  CHECK(abs(-3) == 3);
  CHECK(abs(-3ll) == 3);
  CHECK(abs(-3.5f) == 3.5f);
  static_assert(is_same_v<decltype(abs(-3.5f)), float>);
  static_assert(is_same_v<decltype(sqrt(2.0f)), float>);
  static_assert(is_same_v<decltype(::sqrt(2.0f)), float>);
  static_assert(is_same_v<decltype(pow(2.0f, 2)), double>);
  static_assert(is_same_v<decltype(pow(2.0f, 2.0f)), float>);
  static_assert(is_same_v<decltype(fmax(2.0f, 2.0)), double>);
  CHECK(pow(2.0f, 3) == 8);
  CHECK(::pow(2, 3) == 8);
  CHECK(isnan(kNan));
  CHECK(::isinf(kInfinityF));
  CHECK(::signbit(-1.0f));
  CHECK(hypot(3.0, 4.0) == 5);
  CHECK(abs(complex<double>(3, 4)) == 5);
  CHECK(norm(complex<double>(3, 4)) == 25);
  valarray<double> values{1, 4, 9};
  CHECK(sqrt(values).sum() == 6);
  vector<int> sorted{3, 1, 2};
  sort(sorted.begin(), sorted.end());
  CHECK(*max_element(sorted.begin(), sorted.end()) == 3);
  CHECK(clamp(7, 1, 5) == 5);
  int exponent = 0;
  CHECK(frexp(8.0f, &exponent) == 0.5f);
  CHECK(llabs(-4ll) == 4);
}

TEST_CASE("fast versions keep their special cases") {
  CHECK(__fdividef(6.0f, 3.0f) == 2.0f);
  CHECK(__fdividef(6.0f, 0x1.8p126f) == 0.0f);
  CHECK(std::signbit(__fdividef(-6.0f, 0x1.8p126f)));
  CHECK(std::isnan(__fdividef(kInfinityF, 0x1.8p126f)));
  CHECK(__fdividef(1.0f, kInfinityF) == 0.0f);
  CHECK(fdividef(6.0f, 0x1.8p126f) != 0.0f);
  CHECK(__saturatef(1.5f) == 1.0f);
  CHECK(__saturatef(-1.5f) == 0.0f);
  CHECK(__saturatef(0.25f) == 0.25f);
  CHECK(__saturatef(kNanF) == 0.0f);
  CHECK(std::isnan(__powf(-2.0f, 2.0f)));  // computed by logarithm
  CHECK(__powf(2.0f, 3.0f) == doctest::Approx(8).epsilon(1e-6));
  CHECK(__expf(1.0f) == doctest::Approx(2.718281828f));
  CHECK(__log2f(8.0f) == 3.0f);
  CHECK(__tanf(0.5f) == doctest::Approx(std::tan(0.5f)));
}

TEST_CASE("constants") {
  CHECK(CUDART_PI == std::acos(-1.0));
  CHECK(CUDART_PI_F == static_cast<float>(CUDART_PI));
  CHECK(CUDART_PI_HI + CUDART_PI_LO == CUDART_PI);
  CHECK(CUDART_INF_F == kInfinityF);
  CHECK(std::isnan(CUDART_NAN));
  CHECK(CUDART_MIN_DENORM_F == std::numeric_limits<float>::denorm_min());
  CHECK(CUDART_MAX_NORMAL_F == std::numeric_limits<float>::max());
  CHECK(CUDART_LN2 * CUDART_L2E == doctest::Approx(1).epsilon(1e-15));
  CHECK(CUDART_SQRT_HALF == std::sqrt(0.5));
  static_assert(std::is_same_v<decltype(CUDART_ONE_F), float> &&
                std::is_same_v<decltype(CUDART_ONE), double>);
}

TEST_CASE("atomics and fences may be called on the host") {
  int value = 5;
  CHECK(atomicAdd(&value, 2) == 5);
  CHECK(atomicMax(&value, 100) == 7);
  CHECK(value == 100);
  __threadfence();
  CHECK(__ldg(&value) == 100);
  __stcs(&value, 3);
  CHECK(value == 3);
}
