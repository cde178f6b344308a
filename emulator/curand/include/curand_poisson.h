/// Random numbers with a Poisson distribution.
#ifndef CURAND_POISSON_H_
#define CURAND_POISSON_H_

#include <math.h>

#include "curand_normal.h"
#include "curand_uniform.h"

namespace emu::detail {

constexpr double kKnuthEnd = 64, kNormalBegin = 4000;

/// D. Knuth, The Art of Computer Programming, volume 2, section 3.4.1: as many uniform numbers as
/// can be multiplied before the product falls below exp(-lambda). Here it begins at exp(lambda).
template <class State>
QUALIFIERS unsigned poisson_by_product(State* state, float lambda) {
  unsigned count = 0;
  float product = expf(lambda);
  do {
    ++count;
    product *= curand_uniform(state);
  } while (product > 1.0f);
  return count - 1;
}

/// W. Hoermann, "The transformed rejection method for generating Poisson random variables",
/// Insurance: Mathematics and Economics 12 (1), 1993: algorithm PTRS.
///
/// The distribution is right, the numbers are not those of CUDA, which has another method here.
template <class State>
QUALIFIERS unsigned poisson_by_rejection(State* state, double lambda) {
  const double log_lambda = log(lambda);
  const double b = 0.931 + 2.53 * sqrt(lambda);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double quick = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = curand_uniform_double(state) - 0.5;
    const double v = curand_uniform_double(state);
    const double edge = 0.5 - fabs(u);
    const double k = floor((2 * a / edge + b) * u + lambda + 0.43);
    if (edge >= 0.07 && v <= quick) return static_cast<unsigned>(k);
    if (k < 0 || (edge < 0.013 && v > edge)) continue;
    if (log(v * inverse_alpha / (a / (edge * edge) + b)) <= k * log_lambda - lambda - lgamma(k + 1))
      return static_cast<unsigned>(k);
  }
}

/// The nearest integer to a normally distributed number of the same mean and deviation.
template <class State>
QUALIFIERS unsigned poisson_by_normal(State* state, double lambda) {
  return static_cast<unsigned>(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);
}

template <class State>
QUALIFIERS unsigned poisson(State* state, double lambda) {
  if (lambda < kKnuthEnd) return poisson_by_product(state, static_cast<float>(lambda));
  if (lambda > kNormalBegin) return poisson_by_normal(state, lambda);
  return poisson_by_rejection(state, lambda);
}

}  // namespace emu::detail

QUALIFIERS unsigned int curand_poisson(curandStateXORWOW_t* state, double lambda) {
  return emu::detail::poisson(state, lambda);
}
QUALIFIERS unsigned int curand_poisson(curandStatePhilox4_32_10_t* state, double lambda) {
  return emu::detail::poisson(state, lambda);
}
QUALIFIERS unsigned int curand_poisson(curandStateMRG32k3a_t* state, double lambda) {
  return emu::detail::poisson(state, lambda);
}
QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  const unsigned x = emu::detail::poisson(state, lambda);
  const unsigned y = emu::detail::poisson(state, lambda);
  const unsigned z = emu::detail::poisson(state, lambda);
  return make_uint4(x, y, z, emu::detail::poisson(state, lambda));
}

#endif  // CURAND_POISSON_H_
