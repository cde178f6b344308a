#pragma once

/// @file
/// What the chapter's exercises define, as pointers, so that one check serves every answer.

struct Submission {
  void (*describe_threads)(int* warp, int* lane, int* lanes,
                           int* leader);  // [threads of the block], each
  void (*sums_and_maxima)(int n, int rows, const float* table, float* out);  // [rows, n], [n]
};

/// The functions of exercise.cuh, of solution.cuh, or of a wrong answer.
Submission submission();
