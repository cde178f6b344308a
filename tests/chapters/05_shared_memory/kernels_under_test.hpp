#pragma once

/// @file
/// The chapter's kernels as pointers, so that a mutant can stand in for one of them.

#include <cuda_runtime.h>

using Mirror = void(int width, int height, const int* in, int* out);

struct Kernels {
  Mirror* copy_picture;
  Mirror* mirror_by_rows;
  Mirror* mirror_by_columns;
  void (*mirror_in_registers)(int width, int height, const int4* in, int4* out);
  Mirror* mirror_tile;
  Mirror* mirror_padded;
  void (*mirror_pitch)(int width, int height, int pitch, const int* in, int* out);
  Mirror* mirror_four;
  Mirror* mirror_no_barrier;
  void (*read_4_bytes)(int stride, int* out);
  void (*read_8_bytes)(int stride, int2* out);
  void (*read_16_bytes)(int stride, int4* out);
  void (*look_up_shared)(int n, int rounds, const float* table, const int* first, float* out);
};

/// The kernels of chapters/05_shared_memory/kernels.cuh; where mutants are tested, with one
/// replaced.
Kernels kernels_under_test();
