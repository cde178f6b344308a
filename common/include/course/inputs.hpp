#pragma once

/// @file
/// Seeded inputs that are equal on every machine, and neither constant nor symmetric.

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace course {

/// Random values from a seed.
///
/// std::mt19937_64 gives the same bits everywhere, but the standard distributions do not. So this
/// class maps bits to values itself.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Returns any 64 bits.
  std::uint64_t bits() { return engine_(); }
  /// Returns an unbiased whole number in [0, bound); bound is at least 1.
  std::uint64_t below(std::uint64_t bound);
  /// Returns a float in [-1, 1), a multiple of 2^-23.
  float unit_float();
  /// Returns a double in [-1, 1), a multiple of 2^-52.
  double unit_double();

 private:
  std::mt19937_64 engine_;
};

/// Returns a seed for input number `stream`, so that several inputs differ under one --seed.
std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t stream);

/// Returns `count` floats in [-1, 1); throws UsageError if they do not fit into memory.
std::vector<float> random_floats(std::size_t count, std::uint64_t seed);

/// Returns `count` ints in [min, max]; throws std::invalid_argument unless min <= max.
std::vector<int> random_ints(std::size_t count, std::uint64_t seed, int min, int max);

/// Returns the numbers 0 to count - 1 in random order.
std::vector<int> random_permutation(int count, std::uint64_t seed);

/// Returns the numbers 0 to count - 1 with each group of `group` (the last may be shorter) in a
/// random order of its own.
std::vector<int> random_permutation_within(int count, int group, std::uint64_t seed);

}  // namespace course
