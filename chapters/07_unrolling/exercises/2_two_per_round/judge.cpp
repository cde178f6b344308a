#include "../sums.hpp"

namespace exercise_07_2 {

constexpr int kUnroll = 2;

void judge(coursework::Trial& trial) {
  const std::string kernel = "sum_grid_stride2";
  const int offset = trial["offset"], blocks = trial["blocks"], stride = blocks * sums::kThreads;
  const auto set_misplaced_loads = [&](int count) {
    const int warps = stride / course::kWarpSize;
    sums::set_misplaced_loads(trial, count, warps, warps, count / (kUnroll * stride), kUnroll);
  };
  if (trial.group() == "results") {
    const int n = trial["n"], count = n - offset;
    sums::set_figures(trial, {.count = count,
                              .offset = offset,
                              .rows = course::divide_up(count, stride),
                              .may_part = count % (kUnroll * stride) != 0});
    sums::expect_sums(trial, kernel, blocks, n, offset);
    return set_misplaced_loads(count);
  }
  const int rows = trial["rounds"] * kUnroll, n = offset + rows * stride;
  sums::Sums whole{.count = rows * stride, .offset = offset, .rows = rows};
  if (trial.group() == "order") {
    whole.first_of_c = offset + stride;
    sums::set_figures(trial, whole);
    sums::expect_order(trial, kernel, blocks, stride, kUnroll, n, whole);
    return set_misplaced_loads(whole.count);
  }
  sums::set_figures(trial, whole);
  sums::expect_sums(trial, kernel, blocks, n, offset);
  set_misplaced_loads(whole.count);
}

const coursework::Registered registered("07_2", judge);

}  // namespace exercise_07_2
