#pragma once

/// @file
/// What the judges of chapter 07 have in common: C = A + B from `offset` on.

#include <algorithm>
#include <string>
#include <vector>

#include "course/compare.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace sums {

inline constexpr int kThreads = 64;

/// What is summed, and how.
struct Sums {
  int count = 0;          ///< elements of C
  int offset = 0;         ///< of the first one in A and B
  int first_of_c = 0;     ///< where C begins, counted from a sector's first float
  int rows = 1;           ///< elements of the busiest thread
  bool may_part = false;  ///< lanes of one warp may go different ways at the end
};

/// What one element per thread costs. Where lanes part, their warp makes requests for some of them,
/// and then for the others; both may touch the sector between.
inline void set_figures(coursework::Trial& trial, const Sums& sums) {
  const auto sectors_from = [&](int begin) {
    coursework::PaperRequests requests;
    for (int first = 0; first < sums.count; first += course::kWarpSize) {
      for (int i = first; i < std::min(first + course::kWarpSize, sums.count); ++i)
        requests.lane(begin + i);
      requests.end_request();
    }
    return static_cast<double>(requests.sectors()) + sums.may_part;
  };
  constexpr int kLoads = 2, kRequests = kLoads + 1;  // of an element
  trial.set("sums", sums.count);
  trial.set("requests", kRequests * (sums.rows + sums.may_part));
  trial.set("sectors", kLoads * sectors_from(sums.offset));
  trial.set("c_sectors", sectors_from(sums.first_of_c));
}

/// After the launch: `misplaced_loads`. So many whole warps have so many rounds of `rows` elements
/// a thread, and load all that they need for a round before they store any of it; `early` loads
/// come still a round before. What is left over may come one by one.
/// @param warps  of the grid
inline void set_misplaced_loads(coursework::Trial& trial, int count, double warps,
                                double whole_warps, double rounds, double rows,
                                double early = 0.0) {
  constexpr double kLoads = 2.0;  // of an element
  const double stores = static_cast<double>(count) / course::kWarpSize;
  const double one_by_one = kLoads / 2 * stores * (stores / warps + 1);
  trial.set_misplaced_loads(whole_warps * rounds * rows * kLoads * rows * (rounds + 1) / 2 + early,
                            one_by_one + coursework::Trial::kMostAhead * stores);
}

/// Launches with arrays that are apart, and compares.
inline void expect_sums(coursework::Trial& trial, const std::string& kernel, int blocks, int n,
                        int offset) {
  const auto a = course::random_floats(n, trial.seed(1));
  const auto b = course::random_floats(n, trial.seed(2));
  std::vector<float> expected;
  for (int k = offset; k < n; ++k) expected.push_back(a[k] + b[k]);
  const auto c = trial.output<float>(expected.size());
  trial.launch(kernel, {blocks, kThreads}, n, offset, trial.input(a), trial.input(b), c);

  const auto comparison = course::compare(trial.read(c), expected);
  const bool unwritten = comparison.failure.find("nan") != std::string::npos;
  trial.expect(comparison.ok(),
               "C is wrong: C" + comparison.failure +
                   (unwritten ? ". NaN stands where no thread has written." : "."));
}

/// Lets C overlap A by all but one row of `row` elements, so that each store changes what a later
/// load of the same thread would find. The first row of a round may come after a store.
inline void expect_order(coursework::Trial& trial, const std::string& kernel, int blocks, int row,
                         int rows_per_round, int n, const Sums& sums) {
  const int c_begin = sums.offset + row;
  const auto a = course::random_floats(std::max(n, c_begin + sums.count), trial.seed(1));
  const auto b = course::random_floats(n, trial.seed(2));
  const auto memory = trial.input(a);
  trial.launch(kernel, {blocks, kThreads}, n, sums.offset, memory, trial.input(b),
               memory.from(c_begin));

  const auto result = trial.read(memory);
  const std::string launched = blocks == 1 ? "one block" : std::to_string(blocks) + " blocks";
  for (int i = 0; i < sums.count; ++i)
    trial.expect(
        i / row % rows_per_round == 0 ||
            result[c_begin + i] == a[sums.offset + i] + b[sums.offset + i],
        "With " + launched + " of " + std::to_string(kThreads) +
            " threads and n = " + std::to_string(n) +
            ", something is stored before all is loaded. A load that stands below a store has to "
            "wait for that store, and the store waits for the loads above it. The compiler cannot "
            "change this, because C might overlap A.");
}

}  // namespace sums
