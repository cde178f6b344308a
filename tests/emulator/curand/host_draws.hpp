/// @file
/// Calls of cuRAND's host functions. NVIDIA's library ran the same calls to produce the recorded
/// numbers.
#pragma once

#include <curand.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace host_draws {

struct Case {
  curandRngType_t type;
  const char* generator;
  curandOrdering_t order;
  unsigned long long offset;
  std::size_t count;  ///< greater than the number of sequences if they are used more than once
};

constexpr Case kCases[] = {
    {CURAND_RNG_PSEUDO_DEFAULT, "XORWOW", CURAND_ORDERING_PSEUDO_DEFAULT, 0, 9000},
    {CURAND_RNG_PSEUDO_XORWOW, "XORWOW", CURAND_ORDERING_PSEUDO_LEGACY, 4098, 100},
    {CURAND_RNG_PSEUDO_XORWOW, "XORWOW", CURAND_ORDERING_PSEUDO_BEST, 0x123456789abcd, 100},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10, "Philox", CURAND_ORDERING_PSEUDO_DEFAULT, 0, 270000},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10, "Philox", CURAND_ORDERING_PSEUDO_DEFAULT, 7, 101},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10, "Philox", CURAND_ORDERING_PSEUDO_DEFAULT, 262141, 101},
    {CURAND_RNG_PSEUDO_MRG32K3A, "MRG32k3a", CURAND_ORDERING_PSEUDO_DEFAULT, 0, 90000},
    {CURAND_RNG_PSEUDO_MRG32K3A, "MRG32k3a", CURAND_ORDERING_PSEUDO_DEFAULT, 81919, 100},
    {CURAND_RNG_PSEUDO_MRG32K3A, "MRG32k3a", CURAND_ORDERING_PSEUDO_LEGACY, 12, 9000}};

constexpr const char* kFunctions[] = {"bits",          "uniform",          "uniform_double",
                                      "normal",        "log_normal",       "poisson_5000",
                                      "normal_double", "log_normal_double"};

/// Returns the numbers of two successive calls as bits.
inline std::vector<std::uint64_t> draw(const Case& one, const std::string& function, bool& worked) {
  curandGenerator_t generator = nullptr;
  worked = curandCreateGeneratorHost(&generator, one.type) == CURAND_STATUS_SUCCESS &&
           curandSetPseudoRandomGeneratorSeed(generator, 1234) == CURAND_STATUS_SUCCESS &&
           curandSetGeneratorOrdering(generator, one.order) == CURAND_STATUS_SUCCESS &&
           curandSetGeneratorOffset(generator, one.offset) == CURAND_STATUS_SUCCESS;
  std::vector<std::uint64_t> bits(one.count);
  const auto run = [&](auto number, const auto& generate) {
    std::vector<decltype(number)> numbers(one.count);
    constexpr std::size_t kFirst = 10;
    worked = worked && generate(numbers.data(), kFirst) == CURAND_STATUS_SUCCESS &&
             generate(numbers.data() + kFirst, (one.count - kFirst) & ~std::size_t{1}) ==
                 CURAND_STATUS_SUCCESS;
    for (std::size_t i = 0; i < one.count; ++i) std::memcpy(&bits[i], &numbers[i], sizeof(number));
  };
  if (function == "bits")
    run(0u, [&](auto* p, std::size_t n) { return curandGenerate(generator, p, n); });
  if (function == "uniform")
    run(0.0f, [&](auto* p, std::size_t n) { return curandGenerateUniform(generator, p, n); });
  if (function == "uniform_double")
    run(0.0, [&](auto* p, std::size_t n) { return curandGenerateUniformDouble(generator, p, n); });
  if (function == "normal")
    run(0.0f, [&](auto* p, std::size_t n) { return curandGenerateNormal(generator, p, n, 3, 2); });
  if (function == "normal_double")
    run(0.0,
        [&](auto* p, std::size_t n) { return curandGenerateNormalDouble(generator, p, n, 3, 2); });
  if (function == "log_normal")
    run(0.0f, [&](auto* p, std::size_t n) {
      return curandGenerateLogNormal(generator, p, n, 0.5f, 0.25f);
    });
  if (function == "log_normal_double")
    run(0.0, [&](auto* p, std::size_t n) {
      return curandGenerateLogNormalDouble(generator, p, n, 0.5, 0.25);
    });
  if (function == "poisson_5000")
    run(0u, [&](auto* p, std::size_t n) { return curandGeneratePoisson(generator, p, n, 5000); });
  worked = worked && curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS;
  return bits;
}

/// Returns the FNV-1a hash of all numbers.
inline std::uint64_t hash(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const std::uint64_t number : numbers) h = (h ^ number) * 0x100000001b3;
  return h;
}

}  // namespace host_draws
