#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "tools/coursework/judging/matrices.hpp"

namespace {

using course::divide_up;
using coursework::Trial;

constexpr int kTile = 64;
constexpr int kThreads = 512;

void judge(Trial& trial) {
  const auto [m, n, k] = course::SgemmSize{trial["m"], trial["n"], trial["k"]};
  // Each element of A is needed by every column of tiles, each element of B by every row of them.
  const double elements = 1.0 * m * k * divide_up(n, kTile) + 1.0 * k * n * divide_up(m, kTile);
  trial.set("sectors", elements * sizeof(float) / course::kSectorBytes);

  const auto problem = course::make_sgemm_problem({m, n, k}, trial.seed(1));
  const auto a = trial.input(problem.a), b = trial.input(problem.b);
  const auto c = trial.output<float>(problem.c.size());
  const dim3 grid(divide_up(n, kTile), divide_up(m, kTile));
  trial.launch("sgemm_thread_tile", {grid, kThreads}, m, n, k, a, b, c);
  coursework::expect_product(trial, problem, trial.read(c));
}

const coursework::Registered registered("08_1", judge);

}  // namespace
