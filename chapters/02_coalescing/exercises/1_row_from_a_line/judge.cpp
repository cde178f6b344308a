#include "course/divide_up.hpp"
#include "tools/coursework/judging/matrices.hpp"

namespace exercise_02_1 {

using course::divide_up;
using coursework::Trial;

void judge(Trial& trial) {
  const course::SgemmSize size = {trial["m"], trial["n"], trial["k"]};
  const int block = trial["block"];
  coursework::set_cost_along_rows(trial, size, dim3(block, block), size.k, 1);

  const auto problem = course::make_sgemm_problem(size, trial.seed(1));
  const auto a = trial.input(problem.a), b = trial.input(problem.b);
  const auto c = trial.output<float>(problem.c.size());
  const dim3 grid(divide_up(size.n, block), divide_up(size.m, block));
  trial.launch("sgemm_from_a_line", {grid, block * block}, size.m, size.n, size.k, a, b, c, block);
  coursework::expect_product(trial, problem, trial.read(c));
}

const coursework::Registered registered("02_1", judge);

}  // namespace exercise_02_1
