// Skips ahead in sequences of random numbers, for cuRAND's device functions and its library.
#include <array>
#include <cstdint>

#include "curand/include/emulator/random_skip.h"

namespace emu::detail {
namespace {

/// A polynomial over GF(2) of degree below 160, for XORWOW: x stands for one step.
///
/// A step is a linear map on 160 bits, and a root of its characteristic polynomial p. So n steps
/// are x^n modulo p: at most 160 terms, whatever n is.
struct Polynomial {
  std::array<std::uint32_t, 5> bits{};
};

constexpr int kWords = 5, kWordBits = 32;
/// The polynomial p without its highest term, x^160; found by the Berlekamp-Massey algorithm.
constexpr Polynomial kCharacteristic = {
    {0x00060001, 0x08610030, 0x00062121, 0x0f3c0035, 0x00000f0e}};

void add(Polynomial& sum, const Polynomial& a) {
  for (int i = 0; i < kWords; ++i) sum.bits[i] ^= a.bits[i];
}

/// Multiplies the polynomial by x, modulo p.
void shift(Polynomial& a) {
  const bool overflows = a.bits[kWords - 1] >> (kWordBits - 1) != 0;
  for (int i = kWords - 1; i > 0; --i)
    a.bits[i] = a.bits[i] << 1 | a.bits[i - 1] >> (kWordBits - 1);
  a.bits[0] <<= 1;
  if (overflows) add(a, kCharacteristic);
}

Polynomial product(Polynomial a, const Polynomial& b) {
  Polynomial sum;
  for (const std::uint32_t word : b.bits) {
    for (int i = 0; i < kWordBits; ++i) {
      if ((word >> i & 1) != 0) add(sum, a);
      shift(a);
    }
  }
  return sum;
}

void step(XorwowWords& state) {
  const unsigned t = state.v[0] ^ state.v[0] >> 2;
  const unsigned last = state.v[4] ^ state.v[4] << 4 ^ t ^ t << 1;
  for (int i = 0; i + 1 < kWords; ++i) state.v[i] = state.v[i + 1];
  state.v[kWords - 1] = last;
}

/// The powers x^(stride n) for all n that have a single non-zero byte.
class Powers {
 public:
  explicit Powers(Polynomial stride) {
    for (auto& of_byte : powers_) {
      of_byte[0].bits[0] = 1;
      for (int n = 1; n < kValues; ++n) of_byte[n] = product(of_byte[n - 1], stride);
      stride = product(of_byte[kValues - 1], stride);
    }
  }

  XorwowWords skip(XorwowWords state, unsigned long long n) const {
    if (n == 0) return state;
    Polynomial power;
    bool is_first = true;
    for (int byte = 0; n != 0; ++byte, n /= kValues) {
      const unsigned digit = n % kValues;
      if (digit == 0) continue;
      power = is_first ? powers_[byte][digit] : product(power, powers_[byte][digit]);
      is_first = false;
    }
    XorwowWords sum{};
    for (const std::uint32_t word : power.bits) {
      for (int i = 0; i < kWordBits; ++i, step(state)) {
        if ((word >> i & 1) == 0) continue;
        for (int k = 0; k < kWords; ++k) sum.v[k] ^= state.v[k];
      }
    }
    return sum;
  }

 private:
  static constexpr int kValues = 256, kBytes = 8;
  std::array<std::array<Polynomial, kValues>, kBytes> powers_{};
};

constexpr Polynomial kX = {{2, 0, 0, 0, 0}};

Polynomial length_of_sequence() {
  constexpr int kLogLength = 67;
  Polynomial power = kX;
  for (int i = 0; i < kLogLength; ++i) power = product(power, power);
  return power;
}

/// A linear map of three values modulo m: some steps of a recurrence of MRG32k3a.
template <std::uint64_t m>
struct Recurrence {
  std::array<std::array<std::uint64_t, 3>, 3> rows;

  Recurrence squared() const {
    Recurrence square{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          square.rows[i][j] = (square.rows[i][j] + rows[i][k] * rows[k][j] % m) % m;
    return square;
  }
  void apply(unsigned (&values)[3]) const {
    const std::uint64_t old[] = {values[0], values[1], values[2]};
    for (int i = 0; i < 3; ++i) {
      std::uint64_t sum = 0;
      for (int k = 0; k < 3; ++k) sum += rows[i][k] * old[k] % m;
      values[i] = static_cast<unsigned>(sum % m);
    }
  }
};

/// The maps for 2^i steps, for each i that a skip may need.
template <std::uint64_t m>
class Doublings {
 public:
  explicit Doublings(const Recurrence<m>& one_step) {
    Recurrence<m> power = one_step;
    for (auto& doubling : doublings_) {
      doubling = power;
      power = power.squared();
    }
  }
  void skip(unsigned (&values)[3], unsigned long long n, unsigned log_stride) const {
    for (unsigned i = log_stride; n != 0; ++i, n /= 2)
      if (n % 2 != 0) doublings_[i].apply(values);
  }

 private:
  static constexpr int kCount = 127 + 64;
  std::array<Recurrence<m>, kCount> doublings_;
};

constexpr std::uint64_t kModulus1 = 4294967087, kModulus2 = 4294944443;
constexpr Recurrence<kModulus1> kFirst = {
    {{{0, 1, 0}, {0, 0, 1}, {kModulus1 - 810728, 1403580, 0}}}};
constexpr Recurrence<kModulus2> kSecond = {
    {{{0, 1, 0}, {0, 0, 1}, {kModulus2 - 1370589, 0, 527612}}}};

}  // namespace

XorwowWords skip_xorwow(XorwowWords state, unsigned long long n) noexcept {
  static const Powers powers(kX);
  return powers.skip(state, n);
}

XorwowWords skip_xorwow_sequences(XorwowWords state, unsigned long long n) noexcept {
  static const Powers powers(length_of_sequence());
  return powers.skip(state, n);
}

Mrg32k3aWords skip_mrg32k3a(Mrg32k3aWords state, unsigned long long n,
                            unsigned log_stride) noexcept {
  static const Doublings<kModulus1> first(kFirst);
  static const Doublings<kModulus2> second(kSecond);
  first.skip(state.s1, n, log_stride);
  second.skip(state.s2, n, log_stride);
  return state;
}

}  // namespace emu::detail
