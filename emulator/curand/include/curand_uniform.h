/// Random numbers between 0 and 1: 0 never comes, 1 may.
#ifndef CURAND_UNIFORM_H_
#define CURAND_UNIFORM_H_

#include "curand_mrg32k3a.h"
#include "curand_philox4x32_x.h"
#include "emulator/random_xorwow.h"
#include "vector_functions.h"
#include "vector_types.h"

namespace emu::detail {

/// The middle of the x-th of 2^32 intervals, rounded to a float.
QUALIFIERS float uniform(unsigned x) { return static_cast<float>(x) * 0x1p-32f + 0x1p-33f; }
/// The middle of the x-th of 2^53 intervals, for 53 bits out of 64.
QUALIFIERS double uniform_double(unsigned x, unsigned y) {
  const unsigned long long bits = x ^ static_cast<unsigned long long>(y) << 21;
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

constexpr double kMrgScale = 2.3283065498378288e-10;  // 1 / the first modulus

}  // namespace emu::detail

QUALIFIERS float curand_uniform(curandStateXORWOW_t* state) {
  return emu::detail::uniform(curand(state));
}
QUALIFIERS float curand_uniform(curandStatePhilox4_32_10_t* state) {
  return emu::detail::uniform(curand(state));
}
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(emu::detail::step(state) * emu::detail::kMrgScale);
}

QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return make_float4(emu::detail::uniform(x.x), emu::detail::uniform(x.y),
                     emu::detail::uniform(x.z), emu::detail::uniform(x.w));
}

QUALIFIERS double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned x = curand(state);
  return emu::detail::uniform_double(x, curand(state));
}
/// It has 32 bits; those of curand_uniform2_double have 53.
QUALIFIERS double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
/// It has no more than 32 bits.
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return emu::detail::step(state) * emu::detail::kMrgScale;
}

QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return make_double2(emu::detail::uniform_double(x.x, x.y), emu::detail::uniform_double(x.z, x.w));
}
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_uniform2_double(state);
  const double2 second = curand_uniform2_double(state);
  return make_double4(first.x, first.y, second.x, second.y);
}

#endif  // CURAND_UNIFORM_H_
