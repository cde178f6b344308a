#include "course/divide_up.hpp"
#include "tools/coursework/judging/matrices.hpp"

namespace exercise_02_1 {

using course::divide_up;
using coursework::Trial;

void judge(Trial& trial) {
  const course::SgemmSize size = {trial["m"], trial["n"], trial["k"]};
  const int width = trial["width"], height = trial["height"];
  coursework::set_cost_along_rows(trial, size, dim3(width, height), size.k, 1);

  const auto problem = course::make_sgemm_problem(size, trial.seed(1));
  const auto a = trial.input(problem.a), b = trial.input(problem.b);
  const auto c = trial.output<float>(problem.c.size());
  const dim3 grid(divide_up(size.n, width), divide_up(size.m, height));
  trial.launch("sgemm_from_a_line", {grid, width * height}, size.m, size.n, size.k, a, b, c, width,
               height);
  coursework::expect_product(trial, problem, trial.read(c));
}

const coursework::Registered registered("02_1", judge);

}  // namespace exercise_02_1
