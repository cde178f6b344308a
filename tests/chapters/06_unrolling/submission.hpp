#pragma once

/// @file
/// What the chapter's exercises define, as pointers, so that one check serves every answer.

using Sum = void(int n, int offset, const float* A, const float* B, float* C);

struct Submission {
  Sum* sum_unroll4;
  Sum* sum_grid_stride2;
};

/// The functions of exercise.cuh, of solution.cuh, or of a wrong answer.
Submission submission();
