/// MRG32k3a: P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive
/// random number generators", Operations Research 47 (1), 1999.
#ifndef CURAND_MRG32K3A_H_
#define CURAND_MRG32K3A_H_

#include "emulator/random_qualifiers.h"
#include "emulator/random_skip.h"

struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace emu::detail {

constexpr unsigned kMrgModulus1 = 4294967087u, kMrgModulus2 = 4294944443u;
// As in the paper: the second value of each recurrence has no part in the next one, or the first.
constexpr unsigned kMrgA12 = 1403580u, kMrgA13 = 810728u, kMrgA21 = 527612u, kMrgA23 = 1370589u;

QUALIFIERS Mrg32k3aWords words_of(const curandStateMRG32k3a_t* state) {
  return {{state->s1[0], state->s1[1], state->s1[2]}, {state->s2[0], state->s2[1], state->s2[2]}};
}

QUALIFIERS void set_words(curandStateMRG32k3a_t* state, const Mrg32k3aWords& words) {
  for (int i = 0; i < 3; ++i) state->s1[i] = words.s1[i];
  for (int i = 0; i < 3; ++i) state->s2[i] = words.s2[i];
}

/// Takes a step. Returns the generator's own number, from 1 to the first modulus.
QUALIFIERS unsigned step(curandStateMRG32k3a_t* state) {
  using Wide = unsigned long long;
  const Mrg32k3aWords old = words_of(state);
  const unsigned first = static_cast<unsigned>(
      (Wide{kMrgA12} * old.s1[1] + Wide{kMrgA13} * (kMrgModulus1 - old.s1[0])) % kMrgModulus1);
  const unsigned second = static_cast<unsigned>(
      (Wide{kMrgA21} * old.s2[2] + Wide{kMrgA23} * (kMrgModulus2 - old.s2[0])) % kMrgModulus2);
  set_words(state, {{old.s1[1], old.s1[2], first}, {old.s2[1], old.s2[2], second}});
  return first > second ? first - second : first - second + kMrgModulus1;
}

QUALIFIERS void skip(unsigned long long n, unsigned log_stride, curandStateMRG32k3a_t* state) {
  set_words(state, skip_mrg32k3a(words_of(state), n, log_stride));
}

}  // namespace emu::detail

/// The next 32 bits.
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t* state) {
  constexpr double kStretch = 1.000000048662;  // from the modulus to 2^32
  return static_cast<unsigned>(emu::detail::step(state) * kStretch);
}

/// Skips n numbers.
QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  emu::detail::skip(n, 0, state);
}
/// Skips n subsequences, each of 2^76 numbers.
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  emu::detail::skip(n, 76, state);
}
/// Skips n sequences, each of 2^127 numbers.
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  emu::detail::skip(n, 127, state);
}

QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a_t* state) {
  using Wide = unsigned long long;
  Wide low = 1, high = 1;
  if (seed != 0) {
    low = static_cast<unsigned>(seed) ^ 0x55555555u;
    high = static_cast<unsigned>(seed >> 32) ^ 0xAAAAAAAAu;
  }
  constexpr Wide kFirst = 12345;
  for (int i = 0; i < 3; ++i) {
    const bool is_even = i % 2 == 0;
    state->s1[i] =
        static_cast<unsigned>(kFirst * (is_even ? low : high) % emu::detail::kMrgModulus1);
    state->s2[i] =
        static_cast<unsigned>(kFirst * (is_even ? high : low) % emu::detail::kMrgModulus2);
  }
  if (subsequence != 0) skipahead_subsequence(subsequence, state);
  if (offset != 0) skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

#endif  // CURAND_MRG32K3A_H_
