#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

#include <cuda_runtime.h>

using Soften = void(int wide, int high, const int* steps, const unsigned* palette,
                    unsigned* picture);
using Mirror = void(int width, int height, const int* in, int* out);
using MirrorBytes = void(int width, int height, const unsigned char* in, unsigned char* out);

struct Kernels {
  Mirror* copy_picture;
  Mirror* mirror_by_rows;
  Mirror* mirror_by_columns;
  Mirror* mirror_by_pieces;
  Mirror* mirror_pieces_four;
  void (*mirror_in_registers)(int width, int height, const int4* in, int4* out);
  Mirror* mirror_tile;
  Mirror* mirror_padded;
  void (*mirror_pitch)(int width, int height, int pitch, const int* in, int* out);
  Mirror* mirror_four;
  MirrorBytes* mirror_bytes_pieces;
  MirrorBytes* mirror_bytes_tile;
  Mirror* mirror_no_barrier;
  void (*read_4_bytes)(int stride, int* out);
  void (*read_8_bytes)(int stride, int2* out);
  void (*read_16_bytes)(int stride, int4* out);
  void (*look_up_shared)(int n, int rounds, const float* table, const int* first, float* out);
  Soften* soften_alone;
  Soften* soften_together;
};

/// Returns the kernels of chapters/05_shared_memory/kernels.cuh; in mutant tests, one is replaced.
Kernels kernels_under_test();
