#pragma once

/// @file
/// Sums of entries of a table, which chapters 04 and 05 keep in several kinds of memory.

#include <cstdint>
#include <vector>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/memory.hpp"
#include "course/run.hpp"

namespace course::look_up {

constexpr int kThreads = 256;
constexpr int kEntries = 256;

/// The number of sums (one per thread), the number of entries in each, and the number of different
/// entries that a warp reads at a time.
struct Sizes {
  int sums, rounds, distinct;
};

/// Returns the first entry that each thread reads: `distinct` neighbouring entries in every warp.
inline std::vector<int> first_entries(const Sizes& s, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> first(s.sums);
  int entry = 0;
  for (int i = 0; i < s.sums; ++i) {
    if (i % kWarpSize == 0) entry = static_cast<int>(random.below(kEntries));
    first[i] = (entry + i % kWarpSize % s.distinct) % kEntries;
  }
  return first;
}

inline std::vector<float> table_of(const Run& run) {
  return random_floats(kEntries, derive_seed(run.seed(), 1));
}

/// Adds up entries of table_of(run) by `launch(blocks, table, first, out)`.
template <class Launch>
void run_sums(Run& run, const Sizes& s, Launch launch) {
  run.parameters({{"sums", s.sums}, {"rounds", s.rounds}, {"distinct", s.distinct}});
  require_host_memory(4 * sizeof(float) * static_cast<std::uint64_t>(s.sums), "the sums");
  const auto entries = table_of(run);
  const auto first_values = first_entries(s, run.seed());
  std::vector<float> sum_from(kEntries, 0.0f), expected(s.sums);
  for (int entry = 0; entry < kEntries; ++entry)
    for (int round = 0; round < s.rounds; ++round)
      sum_from[entry] += entries[(entry + round) % kEntries];
  for (int i = 0; i < s.sums; ++i) expected[i] = sum_from[first_values[i]];

  auto& table = run.input("table", entries);
  auto& first = run.input("first", first_values);
  auto& out = run.output<float>("out", s.sums);
  run.launch(
      {.read_bytes = 1.0 * sizeof(int) * s.sums, .written_bytes = 1.0 * sizeof(float) * s.sums},
      [&] {
        if (s.sums > 0) launch(divide_up(s.sums, kThreads), table.data(), first.data(), out.data());
        check_launch();
      });
  run.verify(out, expected);
}

}  // namespace course::look_up
