#include <algorithm>

#include "../sums.hpp"

namespace exercise_07_1 {

constexpr int kUnroll = 4;
constexpr int kOfBlock = kUnroll * sums::kThreads;

void judge(coursework::Trial& trial) {
  const std::string kernel = "sum_unroll4";
  const int offset = trial["offset"];
  const auto set_misplaced_loads = [&](int count) {
    constexpr int kWarps = sums::kThreads / course::kWarpSize;
    sums::set_misplaced_loads(trial, count, kWarps * course::divide_up(count, kOfBlock),
                              kWarps * (count / kOfBlock), 1, kUnroll);
  };
  if (trial.group() == "order") {  // one block: the stores of another would reach its loads
    const sums::Sums whole{.count = kOfBlock,
                           .offset = offset,
                           .first_of_c = offset + sums::kThreads,
                           .rows = kUnroll};
    sums::set_figures(trial, whole);
    sums::expect_order(trial, kernel, 1, sums::kThreads, kUnroll, offset + kOfBlock, whole);
    return set_misplaced_loads(kOfBlock);
  }
  const int n = trial["n"], count = n - offset;
  const int rows = std::min(kUnroll, course::divide_up(count, sums::kThreads));
  sums::set_figures(trial, {.count = count, .offset = offset, .rows = rows});
  sums::expect_sums(trial, kernel, course::divide_up(count, kOfBlock), n, offset);
  set_misplaced_loads(count);
}

const coursework::Registered registered("07_1", judge);

}  // namespace exercise_07_1
