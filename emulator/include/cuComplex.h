/// Complex numbers for C: pairs of floats or doubles, real part first, and functions on them.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// Single precision.

__host__ __device__ static inline float cuCrealf(cuFloatComplex z) { return z.x; }
__host__ __device__ static inline float cuCimagf(cuFloatComplex z) { return z.y; }
__host__ __device__ static inline cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
  return make_float2(real, imaginary);
}
__host__ __device__ static inline cuComplex make_cuComplex(float real, float imaginary) {
  return make_float2(real, imaginary);
}
__host__ __device__ static inline cuFloatComplex cuConjf(cuFloatComplex z) {
  return make_float2(z.x, -z.y);
}
__host__ __device__ static inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__host__ __device__ static inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
__host__ __device__ static inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/// The divisor is scaled first, so that its square neither overflows nor vanishes.
__host__ __device__ static inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1.0f / (fabsf(b.x) + fabsf(b.y));
  const float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const float norm = 1.0f / (bx * bx + by * by);
  return make_float2((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);
}
__host__ __device__ static inline float cuCabsf(cuFloatComplex z) { return hypotf(z.x, z.y); }
/// a b + c
__host__ __device__ static inline cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) {
  return make_float2(fmaf(-a.y, b.y, fmaf(a.x, b.x, c.x)), fmaf(a.y, b.x, fmaf(a.x, b.y, c.y)));
}

// Double precision.

__host__ __device__ static inline double cuCreal(cuDoubleComplex z) { return z.x; }
__host__ __device__ static inline double cuCimag(cuDoubleComplex z) { return z.y; }
__host__ __device__ static inline cuDoubleComplex make_cuDoubleComplex(double real,
                                                                       double imaginary) {
  return make_double2(real, imaginary);
}
__host__ __device__ static inline cuDoubleComplex cuConj(cuDoubleComplex z) {
  return make_double2(z.x, -z.y);
}
__host__ __device__ static inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
__host__ __device__ static inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x - b.x, a.y - b.y);
}
__host__ __device__ static inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__host__ __device__ static inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1.0 / (fabs(b.x) + fabs(b.y));
  const double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const double norm = 1.0 / (bx * bx + by * by);
  return make_double2((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);
}
__host__ __device__ static inline double cuCabs(cuDoubleComplex z) { return hypot(z.x, z.y); }
/// a b + c
__host__ __device__ static inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b,
                                                         cuDoubleComplex c) {
  return make_double2(fma(-a.y, b.y, fma(a.x, b.x, c.x)), fma(a.y, b.x, fma(a.x, b.y, c.y)));
}

__host__ __device__ static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_double2(z.x, z.y);
}
__host__ __device__ static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_float2((float)z.x, (float)z.y);
}

#endif  // CU_COMPLEX_H_
