#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "course/sgemm_check.hpp"
#include "tools/coursework/judging/matrices.hpp"

namespace exercise_02_2 {

using course::divide_up;
using coursework::Trial;

/// What to say of a wrong C: whether it is the product that comes out if the A that is stored is
/// taken for [m, k].
std::string advice_on(const course::SgemmProblem& problem, const std::vector<float>& stored_a,
                      const std::vector<float>& c) {
  course::SgemmProblem misread = problem;
  misread.a = stored_a;
  misread.expected = course::sgemm_reference(misread);
  return course::check_sgemm(misread, c).ok() ? "Is the A that is stored [m, k] or [k, m]?" : "";
}

void judge(Trial& trial) {
  const course::SgemmSize size = {trial["m"], trial["n"], trial["k"]};
  const dim3 block(trial["width"], trial["height"]);
  coursework::set_cost_along_rows(trial, size, block, 1, size.m);

  const auto problem = course::make_sgemm_problem(size, trial.seed(1));
  const auto stored_a = coursework::transposed(problem.a, size.m, size.k);
  const auto a = trial.input(stored_a);
  const auto b = trial.input(problem.b);
  const auto c = trial.output<float>(problem.c.size());
  const dim3 grid(divide_up(size.n, block.x), divide_up(size.m, block.y));
  trial.launch("sgemm_transposed_a", {grid, block}, size.m, size.n, size.k, a, b, c);
  const auto result = trial.read(c);
  coursework::expect_product(trial, problem, result, advice_on(problem, stored_a, result));
}

const coursework::Registered registered("02_2", judge);

}  // namespace exercise_02_2
