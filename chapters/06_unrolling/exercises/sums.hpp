#pragma once

/// @file
/// What the judges of chapter 06 have in common: C = A + B from `offset` on.

#include <algorithm>
#include <string>
#include <vector>

#include "course/compare.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace sums {

inline constexpr int kThreads = 64;

/// What loading A and B costs with one element per thread.
inline void set_plain_cost(coursework::Trial& trial, int n, int offset) {
  constexpr int kSectorFloats = course::kSectorBytes / sizeof(float);
  int requests = 0, sectors = 0;
  for (int first = offset; first < n; first += course::kWarpSize) {
    const int end = std::min(first + course::kWarpSize, n);
    requests += 2;
    sectors += 2 * (course::divide_up(end, kSectorFloats) - first / kSectorFloats);
  }
  trial.set("requests", requests);
  trial.set("sectors", sectors);
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

/// Lets C overlap A by all but one row of `kThreads` elements, so that each store changes what a
/// later load of the same thread would find. The first row of a round may come after a store.
inline void expect_order(coursework::Trial& trial, const std::string& kernel, int n,
                         int rows_per_round) {
  const auto a = course::random_floats(n + kThreads, trial.seed(1));
  const auto b = course::random_floats(n, trial.seed(2));
  const auto memory = trial.input(a);
  trial.launch(kernel, {1, kThreads}, n, 0, memory, trial.input(b), memory.from(kThreads));

  const auto result = trial.read(memory);
  for (int i = 0; i < n; ++i)
    trial.expect(
        i / kThreads % rows_per_round == 0 || result[i + kThreads] == a[i] + b[i],
        "With one block of " + std::to_string(kThreads) + " threads and n = " + std::to_string(n) +
            ", something is stored before all is loaded. A load below a store has to wait for it, "
            "and the store for the loads above: C might overlap A.");
}

}  // namespace sums
