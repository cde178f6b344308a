#pragma once

/// @file
/// Seeded inputs that are the same on every machine, and neither constant nor symmetric.

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace course {

/// Random values from a seed, by a mapping of our own.
///
/// std::mt19937_64 gives the same bits everywhere; the standard distributions do not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Any 64 bits.
  std::uint64_t bits() { return engine_(); }
  /// A whole number in [0, bound), without bias; bound at least 1.
  std::uint64_t below(std::uint64_t bound);
  /// A float in [-1, 1), a multiple of 2^-23.
  float unit_float();
  /// A double in [-1, 1), a multiple of 2^-52.
  double unit_double();

 private:
  std::mt19937_64 engine_;
};

/// A seed for the `stream`-th of several inputs that are to differ under one --seed.
std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t stream);

/// `count` floats in [-1, 1); throws UsageError if they do not fit into memory.
std::vector<float> random_floats(std::size_t count, std::uint64_t seed);

/// `count` ints in [min, max]; throws std::invalid_argument unless min <= max.
std::vector<int> random_ints(std::size_t count, std::uint64_t seed, int min, int max);

/// The numbers 0 to count - 1 in random order.
std::vector<int> random_permutation(int count, std::uint64_t seed);

/// The numbers 0 to count - 1, each group of `group` (the last may be shorter) in random order of
/// its own.
std::vector<int> random_permutation_within(int count, int group, std::uint64_t seed);

}  // namespace course
