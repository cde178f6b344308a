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

/// Sets `rounds`, `warps`, `load_sectors` and `store_sectors`: what C = A B takes at most where a
/// warp walks along the rows of C, at least eight columns of each, with a thread for each element
/// and `block` threads a block. Lanes outside of C may load what the last row and column do.
/// Element (row, p) of A stands at row x a_row + p x a_p, where one of the two is 1.
///
/// A round is one p of one warp; `rounds` is 1 where there is none. `warps` have elements of C.
void set_cost_along_rows(Trial& trial, const course::SgemmSize& size, dim3 block, int a_row,
                         int a_p);

/// Ends the trial unless `c`, [m, n], is the problem's product; `advice` follows the complaint.
void expect_product(Trial& trial, const course::SgemmProblem& problem, const std::vector<float>& c,
                    const std::string& advice = "");

/// Judges C = A B where a block has a tile of 64 x 64 elements of C, and its threads several each:
/// launches `kernel`, a block of `threads` for every tile.
///
/// Sets `sectors` and `c_sectors`, which blocks must read and write at most; `warps`; `steps`, how
/// many p there are; `tiles` and `least_tiles`, of A and B along k.
void judge_tiled_product(Trial& trial, const std::string& kernel, int threads);

}  // namespace coursework
