#pragma once

/// @file
/// The last word of the ladder: tensor cores where they are faster, chapter 09's product by FFMA
/// where that is, and also where nothing but FFMA can hold the numbers.

#include "../09_sgemm/ffma_product.hpp"
#include "steps/11_any_input.cuh"

namespace any_size {

using namespace warpgroup;

/// What each part costs, in microseconds: docs/measurements/tensor_costs.json.
struct Costs {
  double start;           // six launches, of which two find out that they are not meant
  double split_a_mb;      // for a megabyte that the splitting pass moves for A,
  double split_b_mb;      // and for B, whose largest elements it looks for first
  double split_row;       // for each k of the rows of A that a multiprocessor splits in turn
  double round[3];        // to begin and end a round of tiles of 64, 128, 192 columns
  double round_spans[3];  // for two spans of k of such a round
};
constexpr Costs kCosts = {11.8, 0.293, 0.289, 2.6e-5, {4.29, 7.14, 9.53}, {0.511, 0.914, 1.36}};

/// What splitting moves: A is read twice and B three times, and as many bytes are written.
constexpr double kMovedA = 3 * sizeof(float), kMovedB = 4 * sizeof(float);

/// What the product by tensor cores will need, in microseconds.
inline double tensor_us(const Sgemm& s) {
  using course::divide_up;
  constexpr int kTileStep = 64, kTwoSpans = 2 * split::Halves::kSpan, kRowsAtATime = 8;
  constexpr double kMegabyte = 1e6;
  const double k = s.used_k();
  const double splitting = s.m * k * kMovedA / kMegabyte * kCosts.split_a_mb +
                           s.n * k * kMovedB / kMegabyte * kCosts.split_b_mb +
                           divide_up(s.m, kRowsAtATime * s.multiprocessors) * k * kCosts.split_row;
  double rounds_us = 0.0;
  fitting_tiles::with_fitting_tile<split::Halves>(s, [&]<typename S>(S) {
    constexpr int kTile = S::kTileN / kTileStep - 1;
    const int rounds = divide_up(tile_count<S>(s), s.multiprocessors);
    rounds_us = rounds * (kCosts.round[kTile] +
                          divide_up(s.used_k(), kTwoSpans) * kCosts.round_spans[kTile]);
  });
  return kCosts.start + splitting + rounds_us;
}

inline bool suits_tensor_cores(const Sgemm& s) {
  return s.used_k() > any_input::kFewProducts && tensor_us(s) < ffma_product::predicted_us(s);
}

/// The workspace begins with what the product on demand needs; TMA wants what follows on 16 bytes.
inline std::size_t on_demand_floats(const Sgemm& s) {
  constexpr std::size_t kMultiple = split::kSpanBytes / sizeof(float);
  return (ffma_product::on_demand_floats(s) + kMultiple - 1) / kMultiple * kMultiple;
}

/// Floats of workspace, zero before the first launch.
inline std::size_t workspace_floats(const Sgemm& s) {
  if (s.m == 0 || s.n == 0) return 0;
  if (!suits_tensor_cores(s)) return ffma_product::workspace_floats(s);
  return on_demand_floats(s) + split::workspace_floats(s);
}

/// The same for any size, and with the fast FFMA for infinities and NaN.
inline void launch(const Sgemm& s, cudaStream_t stream) {
  if (s.m == 0 || s.n == 0) return;
  if (!suits_tensor_cores(s)) return ffma_product::launch(s, stream);
  Sgemm behind = s;
  behind.workspace += on_demand_floats(s);
  split::Parts parts = split::parts_of(behind);
  parts.second_verdict = reinterpret_cast<split::Verdict*>(ffma_product::demand(s));
  any_input::launch_products</*kHasFfma=*/false>(behind, parts, stream);
  ffma_product::launch_on_demand(s, split::kFfma, stream);
}

}  // namespace any_size
