#include <algorithm>

#include "../sums.hpp"

namespace {

constexpr int kUnroll = 4;
constexpr int kOfBlock = kUnroll * sums::kThreads;

void judge(coursework::Trial& trial) {
  const std::string kernel = "sum_unroll4";
  const int n = trial["n"], offset = trial["offset"], count = n - offset;
  if (trial.group() == "order") {
    // One whole block alone, however many elements there are: its stores would reach the next one's
    // loads.
    sums::Sums first{kOfBlock, offset, offset + sums::kThreads, kUnroll};
    sums::set_figures(trial, first);
    return sums::expect_order(trial, kernel, 1, sums::kThreads, kUnroll, n, first);
  }
  const int rows = std::min(kUnroll, course::divide_up(count, sums::kThreads));
  sums::set_figures(trial, {.count = count, .offset = offset, .rows = rows});
  sums::expect_sums(trial, kernel, course::divide_up(count, kOfBlock), n, offset);
}

const coursework::Registered registered("06_1", judge);

}  // namespace
