/// @file
/// Mathematical functions of CUDA that C and C++ lack. Kernels call the functions of <math.h> under
/// the same names as host code.
#pragma once

// The wrappers of the C++ library put the overloads for float, double and integers of abs, sqrt,
// isnan, ... into the global namespace, where CUDA has them.
#include <math.h>
#include <stdlib.h>

#include <cmath>

#include "host_defines.h"

#if defined(__aarch64__)
// That C library's function differs from CUDA's for 0 and NaN.
extern "C" {
extern int ilogb(double x) noexcept __asm__("emu_ilogb");
extern int ilogbf(float x) noexcept __asm__("emu_ilogbf");
}
#endif

namespace emu::detail {

// Accurate to the last one or two bits: computed in long double where necessary.
double reciprocal_sqrt(double x) noexcept;
double reciprocal_cbrt(double x) noexcept;
double sin_pi(double x) noexcept;
double cos_pi(double x) noexcept;
double inverse_erf(double x) noexcept;
double inverse_erfc(double x) noexcept;
double scaled_erfc(double x) noexcept;
double normal_cdf(double x) noexcept;
double inverse_normal_cdf(double x) noexcept;
double bessel_i0(double x) noexcept;
double bessel_i1(double x) noexcept;

/// Computes the root of a sum of squares without overflow or underflow of intermediate results.
class EuclideanNorm {
 public:
  __forceinline__ EuclideanNorm& add(double x) noexcept {
    infinite_ |= __builtin_isinf(x) != 0;
    sum_ += static_cast<long double>(x) * x;
    return *this;
  }
  double value() const noexcept;
  double reciprocal() const noexcept;

 private:
  long double sum_ = 0;
  bool infinite_ = false;
};

template <class T>
__forceinline__ EuclideanNorm norm_of(int count, const T* p) {
  EuclideanNorm norm;
  for (int i = 0; i < count; ++i) norm.add(p[i]);
  return norm;
}

/// Returns a device's NaN for invalid operands: for `float`, always the same one.
template <class T>
constexpr T of_two_nans(T a) {
  return sizeof(T) == sizeof(float) ? static_cast<T>(__builtin_nanf("0x3fffff")) : a;
}

/// Returns the smaller number; NaN counts as missing, and -0 is less than +0.
template <class T>
constexpr T smaller(T a, T b) {
  if (a != a && b != b) return of_two_nans(a);
  if (a < b || b != b) return a;
  if (b < a || a != a) return b;
  return __builtin_signbit(a) ? a : b;
}
template <class T>
constexpr T larger(T a, T b) {
  if (a != a && b != b) return of_two_nans(a);
  if (a > b || b != b) return a;
  if (b > a || a != a) return b;
  return __builtin_signbit(a) ? b : a;
}

}  // namespace emu::detail

inline double rcbrt(double x) { return emu::detail::reciprocal_cbrt(x); }
inline float rcbrtf(float x) { return static_cast<float>(emu::detail::reciprocal_cbrt(x)); }
inline float rcbrt(float x) { return rcbrtf(x); }

// Newer C libraries declare these functions of C23. Their last bits differ, so the results are
// computed here nevertheless.
extern "C" {
inline float rsqrtf(float x) noexcept {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
inline double rsqrt(double x) noexcept { return emu::detail::reciprocal_sqrt(x); }
inline double sinpi(double x) noexcept { return emu::detail::sin_pi(x); }
inline double cospi(double x) noexcept { return emu::detail::cos_pi(x); }
inline float sinpif(float x) noexcept { return static_cast<float>(emu::detail::sin_pi(x)); }
inline float cospif(float x) noexcept { return static_cast<float>(emu::detail::cos_pi(x)); }
}
inline float rsqrt(float x) { return rsqrtf(x); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }
__forceinline__ void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
__forceinline__ void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
__forceinline__ void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
__forceinline__ void sincos(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

inline float exp10(float x) { return exp10f(x); }
inline float j0(float x) { return j0f(x); }
inline float j1(float x) { return j1f(x); }
inline float jn(int n, float x) { return jnf(n, x); }
inline float y0(float x) { return y0f(x); }
inline float y1(float x) { return y1f(x); }
inline float yn(int n, float x) { return ynf(n, x); }
inline double cyl_bessel_i0(double x) { return emu::detail::bessel_i0(x); }
inline float cyl_bessel_i0f(float x) { return static_cast<float>(emu::detail::bessel_i0(x)); }
inline float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
inline double cyl_bessel_i1(double x) { return emu::detail::bessel_i1(x); }
inline float cyl_bessel_i1f(float x) { return static_cast<float>(emu::detail::bessel_i1(x)); }
inline float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }

inline double erfinv(double x) { return emu::detail::inverse_erf(x); }
inline float erfinvf(float x) { return static_cast<float>(emu::detail::inverse_erf(x)); }
inline float erfinv(float x) { return erfinvf(x); }
inline double erfcinv(double x) { return emu::detail::inverse_erfc(x); }
inline float erfcinvf(float x) { return static_cast<float>(emu::detail::inverse_erfc(x)); }
inline float erfcinv(float x) { return erfcinvf(x); }
inline double erfcx(double x) { return emu::detail::scaled_erfc(x); }
inline float erfcxf(float x) { return static_cast<float>(emu::detail::scaled_erfc(x)); }
inline float erfcx(float x) { return erfcxf(x); }
inline double normcdf(double x) { return emu::detail::normal_cdf(x); }
inline float normcdff(float x) { return static_cast<float>(emu::detail::normal_cdf(x)); }
inline float normcdf(float x) { return normcdff(x); }
inline double normcdfinv(double x) { return emu::detail::inverse_normal_cdf(x); }
inline float normcdfinvf(float x) { return static_cast<float>(emu::detail::inverse_normal_cdf(x)); }
inline float normcdfinv(float x) { return normcdfinvf(x); }

inline double rhypot(double x, double y) {
  return emu::detail::EuclideanNorm().add(x).add(y).reciprocal();
}
inline float rhypotf(float x, float y) {
  return static_cast<float>(rhypot(static_cast<double>(x), static_cast<double>(y)));
}
inline double norm3d(double a, double b, double c) {
  return emu::detail::EuclideanNorm().add(a).add(b).add(c).value();
}
inline double rnorm3d(double a, double b, double c) {
  return emu::detail::EuclideanNorm().add(a).add(b).add(c).reciprocal();
}
inline double norm4d(double a, double b, double c, double d) {
  return emu::detail::EuclideanNorm().add(a).add(b).add(c).add(d).value();
}
inline double rnorm4d(double a, double b, double c, double d) {
  return emu::detail::EuclideanNorm().add(a).add(b).add(c).add(d).reciprocal();
}
inline float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
inline float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }
inline float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(norm4d(a, b, c, d));
}
inline float rnorm4df(float a, float b, float c, float d) {
  return static_cast<float>(rnorm4d(a, b, c, d));
}
__forceinline__ double norm(int count, const double* p) {
  return emu::detail::norm_of(count, p).value();
}
__forceinline__ double rnorm(int count, const double* p) {
  return emu::detail::norm_of(count, p).reciprocal();
}
__forceinline__ float normf(int count, const float* p) {
  return static_cast<float>(emu::detail::norm_of(count, p).value());
}
__forceinline__ float rnormf(int count, const float* p) {
  return static_cast<float>(emu::detail::norm_of(count, p).reciprocal());
}

constexpr double fdivide(double x, double y) { return x / y; }
constexpr float fdividef(float x, float y) { return x / y; }

// Exactly CUDA's overloads: calls that are ambiguous for nvcc are ambiguous here, too.
constexpr int min(int a, int b) { return b < a ? b : a; }
constexpr unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
constexpr unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
constexpr unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
constexpr long min(long a, long b) { return b < a ? b : a; }
constexpr unsigned long min(unsigned long a, unsigned long b) { return b < a ? b : a; }
constexpr unsigned long min(long a, unsigned long b) {
  return min(static_cast<unsigned long>(a), b);
}
constexpr unsigned long min(unsigned long a, long b) {
  return min(a, static_cast<unsigned long>(b));
}
constexpr long long min(long long a, long long b) { return b < a ? b : a; }
constexpr unsigned long long min(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
constexpr unsigned long long min(long long a, unsigned long long b) {
  return min(static_cast<unsigned long long>(a), b);
}
constexpr unsigned long long min(unsigned long long a, long long b) {
  return min(a, static_cast<unsigned long long>(b));
}
constexpr float min(float a, float b) { return emu::detail::smaller(a, b); }
constexpr double min(double a, double b) { return emu::detail::smaller(a, b); }
constexpr double min(float a, double b) { return emu::detail::smaller<double>(a, b); }
constexpr double min(double a, float b) { return emu::detail::smaller<double>(a, b); }
constexpr int max(int a, int b) { return a < b ? b : a; }
constexpr unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
constexpr unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
constexpr unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }
constexpr long max(long a, long b) { return a < b ? b : a; }
constexpr unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
constexpr unsigned long max(long a, unsigned long b) {
  return max(static_cast<unsigned long>(a), b);
}
constexpr unsigned long max(unsigned long a, long b) {
  return max(a, static_cast<unsigned long>(b));
}
constexpr long long max(long long a, long long b) { return a < b ? b : a; }
constexpr unsigned long long max(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
constexpr unsigned long long max(long long a, unsigned long long b) {
  return max(static_cast<unsigned long long>(a), b);
}
constexpr unsigned long long max(unsigned long long a, long long b) {
  return max(a, static_cast<unsigned long long>(b));
}
constexpr float max(float a, float b) { return emu::detail::larger(a, b); }
constexpr double max(double a, double b) { return emu::detail::larger(a, b); }
constexpr double max(float a, double b) { return emu::detail::larger<double>(a, b); }
constexpr double max(double a, float b) { return emu::detail::larger<double>(a, b); }

constexpr unsigned umin(unsigned a, unsigned b) { return min(a, b); }
constexpr unsigned umax(unsigned a, unsigned b) { return max(a, b); }
constexpr long long llmin(long long a, long long b) { return min(a, b); }
constexpr long long llmax(long long a, long long b) { return max(a, b); }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}

// Fast, less accurate versions for a GPU's special function unit; here they are accurate.
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return sinf(x) / cosf(x); }
inline float __tanhf(float x) { return tanhf(x); }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return exp2f(y * log2f(x)); }
__forceinline__ void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

/// Returns x / y, but 0 (or NaN for an infinite x) if y is between 2^126 and 2^128.
constexpr float __fdividef(float x, float y) {
  constexpr float kLargestDivisor = 0x1p126f;
  if ((y > kLargestDivisor || y < -kLargestDivisor) && !__builtin_isinf(y))
    return x * __builtin_copysignf(0.0f, y);
  return x / y;
}

/// Clamps x to [0, 1]; NaN becomes 0.
constexpr float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
