#pragma once

/// @file
/// The chapter's kernels as pointers, so that a mutant can stand in for one of them.

struct Kernels {
  void (*warp_map_1d)(int n, int* warp, int* lane, int* leader);
  void (*warp_map_2d)(int n, int* warp, int* lane, int* leader);
  void (*warp_map_3d)(int n, int* warp, int* lane, int* leader);
  void (*lanes_take_turns)(int pairs, int rounds, int* turn, int* order);
  void (*divergence_within_warp)(int n, int rows, const float* table, float* out);
  void (*divergence_between_warps)(int n, int rows, const float* table, float* out);
  void (*mandelbrot_near)(int width, int height, int most, int* steps, int* waited);
  void (*mandelbrot_dealt)(int width, int height, int most, int* steps, int* waited);
};

/// The kernels of chapters/01_warps/kernels.cuh; where mutants are tested, with one replaced.
Kernels kernels_under_test();
