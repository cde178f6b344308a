#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

using Sum = void(int n, int offset, const float* A, const float* B, float* C);

struct Kernels {
  Sum* read_offset;
  Sum* read_offset_unroll4_published;
  Sum* read_offset_unroll4_in_turn;
  Sum* read_offset_unroll2;
  Sum* read_offset_unroll4;
  Sum* read_offset_unroll8;
  Sum* read_offset_grid_stride;
  Sum* read_offset_float4;
  Sum* read_offset_float4_shifted;
  void (*follow_chain)(int hops, const int* next, int* last);
  void (*soften_two)(int wide, int high, const int* steps, const unsigned* palette, uchar2* planes);
  void (*draw_eight)(int wide, int high, int most, int* steps);
};

/// Returns the kernels of chapters/07_unrolling/kernels.cuh; in mutant tests, one is replaced.
Kernels kernels_under_test();
