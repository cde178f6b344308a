#include "tools/coursework/judging/matrices.hpp"

namespace coursework {

std::vector<float> transposed(const std::vector<float>& values, int rows, int columns) {
  std::vector<float> result(values.size());
  for (std::size_t row = 0, i = 0; row < std::size_t(rows); ++row)
    for (std::size_t col = 0; col < std::size_t(columns); ++col)
      result[col * rows + row] = values[i++];
  return result;
}

void expect_product(Trial& trial, const course::SgemmProblem& problem, const std::vector<float>& c,
                    const std::string& advice) {
  const auto comparison = course::check_sgemm(problem, c);
  if (comparison.ok()) return;
  const bool unwritten = comparison.failure.find("nan") != std::string::npos;
  trial.expect(false, "C is wrong" + std::string(": ") + comparison.failure +
                          (unwritten ? ". NaN stands where no thread has written." : ".") +
                          (advice.empty() ? "" : " " + advice));
}

}  // namespace coursework
