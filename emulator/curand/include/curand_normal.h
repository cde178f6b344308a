/// Normally distributed random numbers: G. Box, M. Muller, "A note on the generation of random
/// normal deviates", Annals of Mathematical Statistics 29 (2), 1958. Two uniform numbers make two
/// normal ones; where a function returns one, the state keeps the other for the next call.
#ifndef CURAND_NORMAL_H_
#define CURAND_NORMAL_H_

#include <math.h>

#include "curand_uniform.h"

namespace emu::detail {

constexpr float kTwoPi = 6.2831855f;

QUALIFIERS float2 box_muller(float uniform, float angle) {
  const float radius = sqrtf(-2.0f * logf(uniform));
  return make_float2(sinf(angle) * radius, cosf(angle) * radius);
}
QUALIFIERS float2 box_muller(unsigned x, unsigned y) {
  return box_muller(uniform(x), static_cast<float>(y) * (0x1p-32f * kTwoPi) + 0x1p-33f * kTwoPi);
}
QUALIFIERS double2 box_muller_double(double uniform, double half_turns) {
  const double radius = sqrt(-2.0 * log(uniform));
  return make_double2(sinpi(half_turns) * radius, cospi(half_turns) * radius);
}
QUALIFIERS double2 box_muller_double(uint4 x) {
  return box_muller_double(uniform_double(x.x, x.y), 2 * uniform_double(x.z, x.w));
}

template <class State>
QUALIFIERS float2 normal2(State* state) {
  const unsigned x = curand(state);
  return box_muller(x, curand(state));
}
QUALIFIERS float2 normal2(curandStateMRG32k3a_t* state) {
  const float x = curand_uniform(state);
  return box_muller(x, curand_uniform(state) * kTwoPi);
}

template <class State>
QUALIFIERS double2 normal2_double(State* state) {
  const double x = curand_uniform_double(state);
  return box_muller_double(x, 2 * curand_uniform_double(state));
}
QUALIFIERS double2 normal2_double(curandStatePhilox4_32_10_t* state) {
  return box_muller_double(curand4(state));
}

/// The number that was kept, or the first of a new pair, of which the other is kept.
template <class State>
QUALIFIERS float normal(State* state) {
  if (state->boxmuller_flag == 0) {
    const float2 pair = normal2(state);
    state->boxmuller_extra = pair.y;
    state->boxmuller_flag = 1;
    return pair.x;
  }
  state->boxmuller_flag = 0;
  return state->boxmuller_extra;
}
template <class State>
QUALIFIERS double normal_double(State* state) {
  if (state->boxmuller_flag_double == 0) {
    const double2 pair = normal2_double(state);
    state->boxmuller_extra_double = pair.y;
    state->boxmuller_flag_double = 1;
    return pair.x;
  }
  state->boxmuller_flag_double = 0;
  return state->boxmuller_extra_double;
}

}  // namespace emu::detail

QUALIFIERS float curand_normal(curandStateXORWOW_t* state) { return emu::detail::normal(state); }
QUALIFIERS float curand_normal(curandStatePhilox4_32_10_t* state) {
  return emu::detail::normal(state);
}
QUALIFIERS float curand_normal(curandStateMRG32k3a_t* state) { return emu::detail::normal(state); }

QUALIFIERS float2 curand_normal2(curandStateXORWOW_t* state) { return emu::detail::normal2(state); }
QUALIFIERS float2 curand_normal2(curandStatePhilox4_32_10_t* state) {
  return emu::detail::normal2(state);
}
QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t* state) {
  return emu::detail::normal2(state);
}

QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 first = emu::detail::box_muller(x.x, x.y);
  const float2 second = emu::detail::box_muller(x.z, x.w);
  return make_float4(first.x, first.y, second.x, second.y);
}

QUALIFIERS double curand_normal_double(curandStateXORWOW_t* state) {
  return emu::detail::normal_double(state);
}
QUALIFIERS double curand_normal_double(curandStatePhilox4_32_10_t* state) {
  return emu::detail::normal_double(state);
}
QUALIFIERS double curand_normal_double(curandStateMRG32k3a_t* state) {
  return emu::detail::normal_double(state);
}

QUALIFIERS double2 curand_normal2_double(curandStateXORWOW_t* state) {
  return emu::detail::normal2_double(state);
}
QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
  return emu::detail::normal2_double(state);
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  return emu::detail::normal2_double(state);
}

QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = emu::detail::normal2_double(state);
  const double2 second = emu::detail::normal2_double(state);
  return make_double4(first.x, first.y, second.x, second.y);
}

#endif  // CURAND_NORMAL_H_
