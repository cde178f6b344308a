#pragma once

/// @file
/// What the chapter's exercises define, as pointers, so that one check serves every answer.

struct Submission {
  void (*filter_columns)(int n, int rows, const float* weights, const float* in, float* out);
};

/// The functions of exercise.cuh, of solution.cuh, or of a wrong answer.
Submission submission();
