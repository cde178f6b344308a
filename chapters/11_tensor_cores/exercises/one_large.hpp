#pragma once

/// @file
/// What the judges of chapter 11 have in common: inputs that tell whether C comes from a tensor
/// core.
///
/// Before a tensor core adds products, it cuts each of them off below 2^-25 of the largest one. So
/// small products that it adds together with a large one are lost, one and all. Ordinary additions
/// lose them one by one, and only those that come after the large one.
///
/// A kernel could imitate that, or know the launch that looks for it. So that launch has the sizes
/// of the one whose results are compared, comes before it or after it, and what threads load is
/// counted in both: ordinary multiplications need each element in several lanes.

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

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

/// Whether the launch that looks at the rounding comes first in this trial.
inline bool comes_first(const coursework::Trial& trial) {
  constexpr std::uint64_t kStream = 17;
  return trial.seed(kStream) % 2 == 0;
}

/// Sectors that threads have read from global memory so far, in whatever way.
inline double sectors_read(const coursework::Trial& trial) {
  const auto& values = trial.values();
  return values.at("global_load_sectors") + values.at("global_atomic_sectors") +
         values.at("bulk_sectors");
}

/// Ends the trial if threads have read more than `times` the sectors that the tiles have: then they
/// multiply by themselves, whatever the tensor core does beside it.
inline void expect_few_reads(const coursework::Trial& trial, double sectors, int times) {
  if (!trial.counted()) return;
  const auto whole = [](double value) { return std::to_string(static_cast<long long>(value)); };
  const double found = sectors_read(trial);
  trial.expect(found <= times * sectors,
               "C is right, but threads read " + whole(found) +
                   " sectors of global memory, and the tiles have " + whole(sectors) +
                   ". What the tensor core multiplies is loaded once for a tile; nobody else has "
                   "to multiply.");
}

/// Sectors of a matrix of halves, [rows, columns], read tile by tile, a row of a tile at a time.
inline double sectors_of_tiles(int rows, int columns, int tile_columns) {
  coursework::PaperRequests requests;
  constexpr int kHalves = 2;  // of 4 bytes
  for (int row = 0; row < rows; ++row)
    for (int begin = 0; begin < columns; begin += tile_columns) {
      const int end = std::min(begin + tile_columns, columns);
      for (int col = begin; col < end; ++col)
        requests.lane((std::int64_t{row} * columns + col) / kHalves);
      requests.end_request();
    }
  return static_cast<double>(requests.sectors());
}

}  // namespace one_large
