// A device function with lines of its own.
#pragma once

__device__ inline float two_apart(const float* values, unsigned i) {
  const float& first = values[2 * i];
  return first;  // [helper]
}
