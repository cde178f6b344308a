#pragma once

/// @file
/// What the judges of chapter 11 have in common: inputs that tell whether C comes from a tensor
/// core.
///
/// Before a tensor core adds products, it cuts each of them off below 2^-25 of the largest one. So
/// small products that it adds together with a large one are lost, one and all. Ordinary additions
/// lose them one by one, and only those that come after the large one.

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "course/inputs.hpp"

namespace one_large {

inline constexpr int kAtOnce = 16;  ///< products that an instruction adds, and the core at once
inline constexpr float kLarge = 32768.0f, kSmall = 1.0f / 2048.0f;  ///< below 2^-25 of it

inline constexpr const char* kComplaint =
    "C is right, but not rounded as a tensor core rounds. Where one product is much larger than "
    "the "
    "others, a tensor core drops those that it adds together with it. C still has them: it has to "
    "come from multiply().";

/// Rows of k small elements, but for a large one in each. The places of the large ones lie apart.
inline std::vector<__half> rows_with_one(int rows, int k, std::uint64_t seed) {
  constexpr int kFurther = 5;
  const int first = course::random_ints(1, seed, 0, k - 1).front();
  std::vector<__half> matrix(static_cast<std::size_t>(rows * k), __float2half_rn(kSmall));
  for (int row = 0; row < rows; ++row)
    matrix[static_cast<std::size_t>(row * k + (first + kFurther * row) % k)] =
        __float2half_rn(kLarge);
  return matrix;
}

inline std::vector<__half> ones(int count) {
  return std::vector<__half>(static_cast<std::size_t>(count), __float2half_rn(1.0f));
}

/// Whether each of these is such a row's sum as a tensor core makes it, in any order of k. Of the
/// small elements, whole instructions are there, and never those of the large one's instruction.
inline bool are_of_tensor_core(const std::vector<float>& sums, int k) {
  return std::ranges::all_of(sums, [&](float sum) {
    const float instructions = (sum - kLarge) / (kAtOnce * kSmall);
    return instructions == std::floor(instructions) && instructions >= 0.0f &&
           instructions < static_cast<float>(k / kAtOnce);
  });
}

}  // namespace one_large
