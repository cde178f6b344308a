#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

struct Kernels {
  void (*add)(int n, const float* a, const float* b, float* c);
  void (*add_grid_stride)(int n, const float* a, const float* b, float* c);
  void (*answer)(int* out);
  void (*mandelbrot)(int width, int height, int most, int* steps);
};

/// Returns the kernels of chapters/00_first_kernel/kernels.cuh; in mutant tests, one is replaced.
Kernels kernels_under_test();
