#include <algorithm>

#include "../sums.hpp"

namespace exercise_06_1 {

constexpr int kUnroll = 4;
constexpr int kOfBlock = kUnroll * sums::kThreads;

void judge(coursework::Trial& trial) {
  const std::string kernel = "sum_unroll4";
  const int offset = trial["offset"];
  const auto set_late_loads = [&](int whole_blocks) {
    const int warps = whole_blocks * sums::kThreads / course::kWarpSize;
    trial.set_late_loads(sums::loads_ahead(warps, 1, kUnroll));
  };
  if (trial.group() == "order") {  // one block: the stores of another would reach its loads
    const sums::Sums whole{.count = kOfBlock,
                           .offset = offset,
                           .first_of_c = offset + sums::kThreads,
                           .rows = kUnroll};
    sums::set_figures(trial, whole);
    sums::expect_order(trial, kernel, 1, sums::kThreads, kUnroll, offset + kOfBlock, whole);
    return set_late_loads(1);
  }
  const int n = trial["n"], count = n - offset;
  const int rows = std::min(kUnroll, course::divide_up(count, sums::kThreads));
  sums::set_figures(trial, {.count = count, .offset = offset, .rows = rows});
  sums::expect_sums(trial, kernel, course::divide_up(count, kOfBlock), n, offset);
  set_late_loads(count / kOfBlock);
}

const coursework::Registered registered("06_1", judge);

}  // namespace exercise_06_1
