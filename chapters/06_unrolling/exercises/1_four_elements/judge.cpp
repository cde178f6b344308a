#include "../sums.hpp"

namespace {

constexpr int kUnroll = 4;

void judge(coursework::Trial& trial) {
  const int n = trial["n"], offset = trial["offset"];
  if (trial.group() == "order") return sums::expect_order(trial, "sum_unroll4", n, kUnroll);
  sums::set_plain_cost(trial, n, offset);
  const int blocks = course::divide_up(n - offset, kUnroll * sums::kThreads);
  if (blocks > 0) sums::expect_sums(trial, "sum_unroll4", blocks, n, offset);
}

const coursework::Registered registered("06_1", judge);

}  // namespace
