#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

using Copy = void(int n, const float* in, float* out);
using Polynomial = void(int n, int rows, const float* c, const float* in, float* out);

inline constexpr int kEntries = 256;         ///< of constant_table
inline constexpr int kPaletteColours = 201;  ///< of constant_palette

struct Kernels {
  Copy* copy_plain;
  Copy* copy_ldg;
  Copy* copy_restrict;
  Polynomial* polynomial_plain;
  Polynomial* polynomial_registers;
  Polynomial* polynomial_four_rows;
  Polynomial* polynomial_restrict;
  void (*look_up_constant)(int n, int rounds, const int* first, float* out);
  void (*look_up_global)(int n, int rounds, const float* table, const int* first, float* out);
  void (*walk_table)(int n, int steps, int elements, const float* table, float* out);
  void (*paint_constant)(int n, const int* steps, unsigned* picture);
  void (*paint_global)(int n, const int* steps, const unsigned* palette, unsigned* picture);
  const float (*constant_table)[kEntries];  ///< read by look_up_constant; a symbol to copy to
  const unsigned (*constant_palette)[kPaletteColours];  ///< read by paint_constant
};

/// Returns the kernels of chapters/04_read_only_cache/kernels.cuh; in mutant tests, one is
/// replaced.
Kernels kernels_under_test();
