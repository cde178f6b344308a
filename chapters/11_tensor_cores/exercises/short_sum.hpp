#pragma once

/// @file
/// A tensor core's sum of products of 8-bit floats, for the judge of exercise 11.7.
///
/// Products here are of a number and a power of two, so that their exponent is the sum of the
/// factors' exponents. A test compares it with the emulator's, which was recorded on a device.

#include <algorithm>
#include <cmath>

namespace short_sum {

inline constexpr int kAtOnce = 32;    ///< products that are added together
inline constexpr int kFraction = 13;  ///< bits behind the highest that are kept

/// What is left of x in units of 2^last.
inline double whole_units(double x, int last) { return std::trunc(std::ldexp(x, -last)); }

/// The sum of `terms` products, 32 at a time. Double holds every number in between exactly.
inline float sum(int terms, const float* products) {
  double sum = 0.0;
  for (int begin = 0; begin < terms; begin += kAtOnce) {
    const int end = std::min(begin + kAtOnce, terms);
    bool is_zero = sum == 0.0;
    int largest = is_zero ? 0 : std::ilogb(sum);
    for (int p = begin; p < end; ++p) {
      if (products[p] == 0.0f) continue;
      largest = is_zero ? std::ilogb(products[p]) : std::max(largest, std::ilogb(products[p]));
      is_zero = false;
    }
    if (is_zero) continue;

    const int last = largest - kFraction;
    double units = whole_units(sum, last);
    for (int p = begin; p < end; ++p) units += whole_units(products[p], last);
    sum = std::ldexp(units, last);
    if (sum == 0.0) continue;
    const int kept = std::ilogb(sum) - kFraction;
    sum = std::ldexp(whole_units(sum, kept), kept);
  }
  return static_cast<float>(sum);
}

}  // namespace short_sum
