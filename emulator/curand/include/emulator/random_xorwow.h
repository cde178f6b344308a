/// @file
/// XORWOW: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003,
/// section 3.1.
///
/// Sequences of one seed are 2^67 numbers apart.
#pragma once

#include "emulator/random_qualifiers.h"
#include "emulator/random_skip.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace emu::detail {

constexpr unsigned kWeylStep = 362437;

QUALIFIERS XorwowWords words_of(const curandStateXORWOW_t* state) {
  return {{state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]}};
}

QUALIFIERS void set_words(curandStateXORWOW_t* state, XorwowWords words) {
  for (int i = 0; i < 5; ++i) state->v[i] = words.v[i];
}

}  // namespace emu::detail

/// The next 32 bits.
QUALIFIERS unsigned int curand(curandStateXORWOW_t* state) {
  const emu::detail::XorwowWords old = emu::detail::words_of(state);
  const unsigned t = old.v[0] ^ (old.v[0] >> 2);
  const unsigned last = (old.v[4] ^ (old.v[4] << 4)) ^ (t ^ (t << 1));
  emu::detail::set_words(state, {{old.v[1], old.v[2], old.v[3], old.v[4], last}});
  const unsigned d = state->d + emu::detail::kWeylStep;
  state->d = d;
  return last + d;
}

/// Skips n numbers.
QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  emu::detail::set_words(state, emu::detail::skip_xorwow(emu::detail::words_of(state), n));
  state->d += emu::detail::kWeylStep * static_cast<unsigned>(n);
}

/// Skips n sequences.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  emu::detail::set_words(state,
                         emu::detail::skip_xorwow_sequences(emu::detail::words_of(state), n));
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  emu::detail::XorwowWords words = {
      {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}};
  if (subsequence != 0) words = emu::detail::skip_xorwow_sequences(words, subsequence);
  if (offset != 0) words = emu::detail::skip_xorwow(words, offset);
  emu::detail::set_words(state, words);
  state->d = 6615241u + high + low + emu::detail::kWeylStep * static_cast<unsigned>(offset);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
