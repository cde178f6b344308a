#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

struct Kernels {
  void (*warp_map_1d)(int n, int* warp, int* lane, int* leader);
  void (*warp_map_2d)(int n, int* warp, int* lane, int* leader);
  void (*warp_map_3d)(int n, int* warp, int* lane, int* leader);
  void (*lanes_take_turns)(int pairs, int rounds, int* turn, int* order);
  void (*divergence_within_warp)(int n, int rows, const float* table, float* out);
  void (*divergence_between_warps)(int n, int rows, const float* table, float* out);
  void (*divergence_one_lane)(int n, int rows, const float* table, float* out);
  void (*mandelbrot_near)(int width, int height, int most, int* steps, int* waited);
  void (*mandelbrot_dealt)(int width, int height, int most, int* steps, int* waited);
};

/// Returns the kernels of chapters/01_warps/kernels.cuh; in mutant tests, one is replaced.
Kernels kernels_under_test();
