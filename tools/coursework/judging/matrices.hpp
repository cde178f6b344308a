#pragma once

/// @file
/// Code that judges of matrix products share.

#include <cstddef>
#include <string>
#include <vector>

#include "course/sgemm_check.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace coursework {

/// Transposes `values`, [rows, columns], to [columns, rows]: converts row-major to column-major.
std::vector<float> transposed(const std::vector<float>& values, int rows, int columns);

/// Sets `rounds`, `warps`, `load_sectors` and `store_sectors`: the most that C = A B costs if each
/// warp walks along the rows of C, at least eight columns of each. Each thread computes one
/// element; a block has `block` threads. Lanes outside of C may load what the last row and column
/// load. Element (row, p) of A is at row x a_row + p x a_p, where one of the two factors is 1.
///
/// A round is one p of one warp; `rounds` is 1 if there are none. `warps` counts the warps with
/// elements of C.
void set_cost_along_rows(Trial& trial, const course::SgemmSize& size, dim3 block, int a_row,
                         int a_p);

/// Ends the trial unless `c`, [m, n], is the problem's product. `advice` is appended to the
/// message.
void expect_product(Trial& trial, const course::SgemmProblem& problem, const std::vector<float>& c,
                    const std::string& advice = "");

/// Judges C = A B for kernels whose blocks compute tiles of 64 x 64 elements of C, several per
/// thread. Launches `kernel` with a block of `threads` threads for each tile.
///
/// Sets `sectors` and `c_sectors`, the most that blocks need to read and write; `warps`; `steps`,
/// the number of steps along k; `tiles` and `least_tiles`, the numbers of tiles of A and B along k.
void judge_tiled_product(Trial& trial, const std::string& kernel, int threads);

}  // namespace coursework
