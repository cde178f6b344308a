#pragma once

/// @file
/// The chapter's kernels as pointers, so that a mutant can stand in for one of them.

struct Kernels {
  void (*add)(int n, const float* a, const float* b, float* c);
  void (*add_grid_stride)(int n, const float* a, const float* b, float* c);
  void (*answer)(int* out);
  void (*mandelbrot)(int width, int height, int most, int* steps);
};

/// The kernels of chapters/00_first_kernel/kernels.cuh; where mutants are tested, with one
/// replaced.
Kernels kernels_under_test();
