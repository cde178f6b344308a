#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

using Sum = void(int n, int offset, const float* A, const float* B, float* C);
using Spread = void(int sectors, int pitch, const float* in, float* out);
using Gather = void(int rows, int cols, int pitch, int header, const int* ids, const float* table,
                    float* out);
using Scatter = void(int rows, int cols, int pitch, int header, const int* ids, const float* in,
                     float* table);

struct Kernels {
  void (*load_from)(int first, const float* in, float* out);
  Spread* load_sectors;
  void (*load_one_word)(int word, const float* in, float* out);
  Spread* store_sectors;
  Sum* read_offset;
  Sum* read_offset_l2_only;
  Sum* write_offset;
  Gather* gather_rows;
  Scatter* scatter_rows;
};

/// Returns the kernels of chapters/03_alignment/kernels.cuh; in mutant tests, one is replaced.
Kernels kernels_under_test();
