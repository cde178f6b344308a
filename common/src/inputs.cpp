#include "course/inputs.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "course/memory.hpp"

namespace course {
namespace {

/// Fisher and Yates' shuffle; std::shuffle differs from library to library.
void shuffle(int* first, int count, Random& random) {
  for (int left = count; left > 1; --left) {
    const auto chosen = random.below(static_cast<std::uint64_t>(left));
    std::swap(first[left - 1], first[chosen]);
  }
}

template <class T>
std::vector<T> allocate(std::size_t count) {
  require_host_memory(checked_bytes(count, sizeof(T), "an input"), "an input");
  return std::vector<T>(count);
}

}  // namespace

std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t stream) {
  // SplitMix64's finaliser (Steele, Lea, Flood 2014): neighbouring numbers give unrelated ones.
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  constexpr std::uint64_t kFirstFactor = 0xBF58476D1CE4E5B9;
  constexpr std::uint64_t kSecondFactor = 0x94D049BB133111EB;
  std::uint64_t mixed = seed + (stream + 1) * kGolden;
  mixed = (mixed ^ (mixed >> 30)) * kFirstFactor;
  mixed = (mixed ^ (mixed >> 27)) * kSecondFactor;
  return mixed ^ (mixed >> 31);
}

std::uint64_t Random::below(std::uint64_t bound) {
  if (bound == 0) throw std::invalid_argument("no whole number is below 0");
  const std::uint64_t unfair =
      -bound % bound;  // 2^64 modulo bound: so many values are one too many
  std::uint64_t value = bits();
  while (value < unfair) value = bits();
  return value % bound;
}

float Random::unit_float() {
  constexpr int kBits = 24;
  constexpr float kStep = 1.0f / (1 << (kBits - 1));
  const auto value = static_cast<std::int32_t>(bits() >> (64 - kBits));
  return static_cast<float>(value - (1 << (kBits - 1))) * kStep;
}

double Random::unit_double() {
  constexpr int kBits = 53;
  constexpr std::int64_t kHalf = std::int64_t{1} << (kBits - 1);
  const auto value = static_cast<std::int64_t>(bits() >> (64 - kBits));
  return static_cast<double>(value - kHalf) / static_cast<double>(kHalf);
}

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  std::vector<float> values = allocate<float>(count);
  Random random(seed);
  for (float& value : values) value = random.unit_float();
  return values;
}

std::vector<int> random_ints(std::size_t count, std::uint64_t seed, int min, int max) {
  if (min > max) throw std::invalid_argument("a range's least value exceeds its greatest");
  std::vector<int> values = allocate<int>(count);
  Random random(seed);
  const auto span = static_cast<std::uint64_t>(std::int64_t{max} - min + 1);
  for (int& value : values) {
    value = static_cast<int>(min + static_cast<std::int64_t>(random.below(span)));
  }
  return values;
}

std::vector<int> random_permutation(int count, std::uint64_t seed) {
  return random_permutation_within(count, count, seed);
}

std::vector<int> random_permutation_within(int count, int group, std::uint64_t seed) {
  if (count < 0) throw std::invalid_argument("a permutation has no negative length");
  if (count > 0 && group < 1) throw std::invalid_argument("a group holds at least one number");
  std::vector<int> values = allocate<int>(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  Random random(seed);
  for (std::int64_t begin = 0; begin < count; begin += group) {
    shuffle(values.data() + begin, static_cast<int>(std::min<std::int64_t>(group, count - begin)),
            random);
  }
  return values;
}

}  // namespace course
