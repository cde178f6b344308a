#include "course/divide_up.hpp"
#include "tools/coursework/judging/matrices.hpp"

namespace exercise_02_2 {

using course::divide_up;
using coursework::Trial;

void judge(Trial& trial) {
  const course::SgemmSize size = {trial["m"], trial["n"], trial["k"]};
  const dim3 block(trial["width"], trial["height"]);
  coursework::set_cost_along_rows(trial, size, block, 1, size.m);

  const auto problem = course::make_sgemm_problem(size, trial.seed(1));
  const auto a = trial.input(coursework::transposed(problem.a, size.m, size.k));
  const auto b = trial.input(problem.b);
  const auto c = trial.output<float>(problem.c.size());
  const dim3 grid(divide_up(size.n, block.x), divide_up(size.m, block.y));
  trial.launch("sgemm_transposed_a", {grid, block}, size.m, size.n, size.k, a, b, c);
  coursework::expect_product(trial, problem, trial.read(c));
}

const coursework::Registered registered("02_2", judge);

}  // namespace exercise_02_2
