#pragma once

/// @file
/// What judges of matrix products have in common.

#include <cstddef>
#include <string>
#include <vector>

#include "course/sgemm_check.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace coursework {

/// `values`, [rows, columns], as [columns, rows]: from row-major to column-major and back.
std::vector<float> transposed(const std::vector<float>& values, int rows, int columns);

/// Ends the trial unless `c`, [m, n], is the problem's product; `advice` follows the complaint.
void expect_product(Trial& trial, const course::SgemmProblem& problem, const std::vector<float>& c,
                    const std::string& advice = "");

}  // namespace coursework
