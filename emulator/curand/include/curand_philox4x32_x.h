/// Philox4x32-10: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as
/// 1, 2, 3", SC 2011. Each 128-bit counter gives four numbers; the seed is the key.
#ifndef CURAND_PHILOX4X32_X__H_
#define CURAND_PHILOX4X32_X__H_

#include "emulator/random_qualifiers.h"
#include "vector_functions.h"
#include "vector_types.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/// The four numbers of a counter.
QUALIFIERS uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long even = 0xD2511F53ull * counter.x;
    const unsigned long long odd = 0xCD9E8D57ull * counter.z;
    counter = make_uint4(
        static_cast<unsigned>(odd >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(odd),
        static_cast<unsigned>(even >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(even));
    key = make_uint2(key.x + 0x9E3779B9u, key.y + 0xBB67AE85u);
  }
  return counter;
}

namespace emu::detail {

/// Returns a 128-bit counter plus n in its lower or upper half.
QUALIFIERS uint4 advanced(uint4 counter, unsigned long long n) {
  const unsigned long long low = (static_cast<unsigned long long>(counter.y) << 32 | counter.x) + n;
  unsigned long long high = static_cast<unsigned long long>(counter.w) << 32 | counter.z;
  if (low < n) ++high;
  return make_uint4(static_cast<unsigned>(low), static_cast<unsigned>(low >> 32),
                    static_cast<unsigned>(high), static_cast<unsigned>(high >> 32));
}
QUALIFIERS uint4 advanced_high(uint4 counter, unsigned long long n) {
  const unsigned long long high =
      (static_cast<unsigned long long>(counter.w) << 32 | counter.z) + n;
  return make_uint4(counter.x, counter.y, static_cast<unsigned>(high),
                    static_cast<unsigned>(high >> 32));
}

}  // namespace emu::detail

/// The next 32 bits.
QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned at = state->STATE;
  const uint4 output = state->output;
  const unsigned number = at == 0 ? output.x : at == 1 ? output.y : at == 2 ? output.z : output.w;
  if (at < 3) {
    state->STATE = at + 1;
  } else {
    const uint4 counter = emu::detail::advanced(state->ctr, 1);
    state->ctr = counter;
    state->output = curand_Philox4x32_10(counter, state->key);
    state->STATE = 0;
  }
  return number;
}

/// The next four numbers.
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 old = state->output;
  const uint4 counter = emu::detail::advanced(state->ctr, 1);
  const uint4 next = curand_Philox4x32_10(counter, state->key);
  state->ctr = counter;
  state->output = next;
  switch (state->STATE) {
    case 0:
      return old;
    case 1:
      return make_uint4(old.y, old.z, old.w, next.x);
    case 2:
      return make_uint4(old.z, old.w, next.x, next.y);
    default:
      return make_uint4(old.w, next.x, next.y, next.z);
  }
}

/// Skips n numbers.
QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned at = state->STATE + static_cast<unsigned>(n & 3);
  const uint4 counter = emu::detail::advanced(state->ctr, n / 4 + at / 4);
  state->STATE = at & 3;
  state->ctr = counter;
  state->output = curand_Philox4x32_10(counter, state->key);
}

/// Skips n sequences, each of 2^66 numbers.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const uint4 counter = emu::detail::advanced_high(state->ctr, n);
  state->ctr = counter;
  state->output = curand_Philox4x32_10(counter, state->key);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  state->ctr = make_uint4(0, 0, static_cast<unsigned>(subsequence),
                          static_cast<unsigned>(subsequence >> 32));
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead(offset, state);
}

#endif  // CURAND_PHILOX4X32_X__H_
