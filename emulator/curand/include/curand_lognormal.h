/// Random numbers whose logarithms are normally distributed, with this mean and deviation.
#ifndef CURAND_LOGNORMAL_H_
#define CURAND_LOGNORMAL_H_

#include <math.h>

#include "curand_normal.h"

QUALIFIERS float curand_log_normal(curandStateXORWOW_t* state, float mean, float stddev) {
  return expf(mean + stddev * curand_normal(state));
}
QUALIFIERS float curand_log_normal(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  return expf(mean + stddev * curand_normal(state));
}
QUALIFIERS float curand_log_normal(curandStateMRG32k3a_t* state, float mean, float stddev) {
  return expf(mean + stddev * curand_normal(state));
}

QUALIFIERS float2 curand_log_normal2(curandStateXORWOW_t* state, float mean, float stddev) {
  const float2 x = curand_normal2(state);
  return make_float2(expf(mean + stddev * x.x), expf(mean + stddev * x.y));
}
QUALIFIERS float2 curand_log_normal2(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float2 x = curand_normal2(state);
  return make_float2(expf(mean + stddev * x.x), expf(mean + stddev * x.y));
}
QUALIFIERS float2 curand_log_normal2(curandStateMRG32k3a_t* state, float mean, float stddev) {
  const float2 x = curand_normal2(state);
  return make_float2(expf(mean + stddev * x.x), expf(mean + stddev * x.y));
}

QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float4 x = curand_normal4(state);
  return make_float4(expf(mean + stddev * x.x), expf(mean + stddev * x.y),
                     expf(mean + stddev * x.z), expf(mean + stddev * x.w));
}

QUALIFIERS double curand_log_normal_double(curandStateXORWOW_t* state, double mean, double stddev) {
  return exp(mean + stddev * curand_normal_double(state));
}
QUALIFIERS double curand_log_normal_double(curandStatePhilox4_32_10_t* state, double mean,
                                           double stddev) {
  return exp(mean + stddev * curand_normal_double(state));
}
QUALIFIERS double curand_log_normal_double(curandStateMRG32k3a_t* state, double mean,
                                           double stddev) {
  return exp(mean + stddev * curand_normal_double(state));
}

QUALIFIERS double2 curand_log_normal2_double(curandStateXORWOW_t* state, double mean,
                                             double stddev) {
  const double2 x = curand_normal2_double(state);
  return make_double2(exp(mean + stddev * x.x), exp(mean + stddev * x.y));
}
QUALIFIERS double2 curand_log_normal2_double(curandStatePhilox4_32_10_t* state, double mean,
                                             double stddev) {
  const double2 x = curand_normal2_double(state);
  return make_double2(exp(mean + stddev * x.x), exp(mean + stddev * x.y));
}
QUALIFIERS double2 curand_log_normal2_double(curandStateMRG32k3a_t* state, double mean,
                                             double stddev) {
  const double2 x = curand_normal2_double(state);
  return make_double2(exp(mean + stddev * x.x), exp(mean + stddev * x.y));
}

QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean,
                                             double stddev) {
  const double4 x = curand_normal4_double(state);
  return make_double4(exp(mean + stddev * x.x), exp(mean + stddev * x.y), exp(mean + stddev * x.z),
                      exp(mean + stddev * x.w));
}

#endif  // CURAND_LOGNORMAL_H_
