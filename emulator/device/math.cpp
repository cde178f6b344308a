// Special functions that the C library lacks. Nearly all are computed in long double and rounded
// once, so that they are as accurate as the type allows. A GPU's results are within a few units in
// the last place.
#include <cmath>
#include <limits>

#include "emulator/device_math.h"

namespace emu::detail {
namespace {

constexpr long double kPi = 3.14159265358979323846264338327950288L;
constexpr long double kSqrtPi = 1.77245385090551602729816748334114518L;
constexpr long double kSqrt2 = 1.41421356237309504880168872420969808L;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Solves error(y) = 0, where error(y) is erf(y) or erfc(y) minus the given value, and `log_term` is
// log(1 - erf(y)^2). The first guess (Winitzki's) is right to 3 digits, and each step of Halley's
// method triples them.
template <class Error>
long double invert(long double log_term, bool negative, const Error& error) {
  constexpr long double kWinitzki = 0.147L;
  constexpr int kSteps = 4;
  const long double a = 2 / (kPi * kWinitzki) + log_term / 2;
  const long double b = -log_term / kWinitzki;
  long double y = std::sqrt(b / (std::sqrt(a * a + b) + a));
  if (negative) y = -y;
  for (int step = 0; step < kSteps; ++step) {
    const long double newton = error(y) * kSqrtPi / 2 * std::exp(y * y);
    y -= newton / (1 + y * newton);
  }
  return y;
}

long double inverse_erf_of(long double x) {
  return invert(std::log1p(-x * x), x < 0, [x](long double y) { return std::erf(y) - x; });
}

// Returns the inverse of erfc for x below 1.
long double inverse_erfc_of(long double x) {
  return invert(std::log(x * (2 - x)), false, [x](long double y) { return x - std::erfc(y); });
}

// Returns the sum of (x^2 / 4)^k / (k! (k + order)!), whose terms are positive.
long double bessel_series(long double x, int order) {
  const long double quarter_square = x * x / 4;
  long double term = 1, sum = 1;
  for (int k = 1; term > sum * std::numeric_limits<long double>::epsilon(); ++k) {
    term *= quarter_square / (static_cast<long double>(k) * (k + order));
    sum += term;
  }
  return sum;
}

constexpr double kBesselOverflow = 720;

}  // namespace

double EuclideanNorm::value() const noexcept {
  return infinite_ ? kInfinity : static_cast<double>(std::sqrt(sum_));
}
double EuclideanNorm::reciprocal() const noexcept {
  return infinite_ ? 0.0 : static_cast<double>(1 / std::sqrt(sum_));
}

double reciprocal_sqrt(double x) noexcept {
  return static_cast<double>(1 / std::sqrt(static_cast<long double>(x)));
}

double reciprocal_cbrt(double x) noexcept {
  return static_cast<double>(1 / std::cbrt(static_cast<long double>(x)));
}

double sin_pi(double x) noexcept {
  if (!std::isfinite(x)) return kNan;
  double turn = std::remainder(x, 2.0);  // exact, in [-1, 1]
  if (turn == 0 || std::fabs(turn) == 1) return std::copysign(0.0, x);
  if (std::fabs(turn) > 0.5) turn = std::copysign(1.0, turn) - turn;
  return static_cast<double>(std::sin(kPi * turn));
}

double cos_pi(double x) noexcept {
  if (!std::isfinite(x)) return kNan;
  const double turn = std::fabs(std::remainder(x, 2.0));
  if (turn <= 0.25) return static_cast<double>(std::cos(kPi * turn));
  if (turn < 0.75) return static_cast<double>(std::sin(kPi * (0.5 - turn)));
  return static_cast<double>(-std::cos(kPi * (1 - turn)));
}

double inverse_erf(double x) noexcept {
  if (std::isnan(x) || std::fabs(x) > 1) return kNan;
  if (std::fabs(x) == 1) return std::copysign(kInfinity, x);
  if (x == 0) return x;
  if (std::fabs(x) <= 0.5) return static_cast<double>(inverse_erf_of(x));
  return std::copysign(inverse_erfc(1 - std::fabs(x)), x);
}

double inverse_erfc(double x) noexcept {
  if (std::isnan(x) || x < 0 || x > 2) return kNan;
  if (x == 0) return kInfinity;
  if (x > 1.5) return -inverse_erfc(2 - x);  // exact, and away from the cancellation near 2
  const long double wide = x;
  if (x >= 0.5) return x == 1 ? 0.0 : static_cast<double>(inverse_erf_of(1 - wide));
  return static_cast<double>(inverse_erfc_of(wide));
}

double scaled_erfc(double x) noexcept {
  const long double wide = x;
  constexpr double kAsymptotic = 12;
  if (!(x >= kAsymptotic)) return static_cast<double>(std::exp(wide * wide) * std::erfc(wide));
  if (std::isinf(x)) return 0;
  constexpr int kTerms = 12;
  const long double ratio = 1 / (2 * wide * wide);
  long double term = 1, sum = 1;
  for (int n = 1; n <= kTerms; ++n) {
    term *= -(2 * n - 1) * ratio;
    sum += term;
  }
  return static_cast<double>(sum / (wide * kSqrtPi));
}

double normal_cdf(double x) noexcept { return static_cast<double>(std::erfc(-x / kSqrt2) / 2); }

double inverse_normal_cdf(double x) noexcept {
  if (std::isnan(x) || x < 0 || x > 1) return kNan;
  if (x == 0) return -kInfinity;
  if (x > 0.75) return -inverse_normal_cdf(1 - x);  // exact
  const long double twice = 2 * static_cast<long double>(x);
  if (x >= 0.25) return x == 0.5 ? 0.0 : static_cast<double>(-kSqrt2 * inverse_erf_of(1 - twice));
  return static_cast<double>(-kSqrt2 * inverse_erfc_of(twice));
}

double bessel_i0(double x) noexcept {
  if (std::fabs(x) >= kBesselOverflow) return kInfinity;
  return static_cast<double>(bessel_series(x, 0));
}

double bessel_i1(double x) noexcept {
  if (std::fabs(x) >= kBesselOverflow) return std::copysign(kInfinity, x);
  return static_cast<double>(x / 2.0L * bessel_series(x, 1));
}

}  // namespace emu::detail

#if defined(__aarch64__)
namespace {
int ilogb_of(double x) {
  if (std::isnan(x) || x == 0) return std::numeric_limits<int>::min();
  if (std::isinf(x)) return std::numeric_limits<int>::max();
  int exponent = 0;
  std::frexp(x, &exponent);
  return exponent - 1;
}
}  // namespace

int ilogb(double x) noexcept { return ilogb_of(x); }
int ilogbf(float x) noexcept { return ilogb_of(x); }
#endif
