#pragma once

/// @file
/// The chapter's kernels as pointers, so that a mutant can stand in for one of them.

using Copy = void(int n, const float* in, float* out);
using Polynomial = void(int n, int rows, const float* c, const float* in, float* out);

inline constexpr int kEntries = 256;  ///< of constant_table

struct Kernels {
  Copy* copy_plain;
  Copy* copy_ldg;
  Copy* copy_restrict;
  Polynomial* polynomial_plain;
  Polynomial* polynomial_registers;
  Polynomial* polynomial_restrict;
  void (*look_up_constant)(int n, int rounds, const int* first, float* out);
  void (*look_up_global)(int n, int rounds, const float* table, const int* first, float* out);
  void (*walk_table)(int n, int steps, int elements, const float* table, float* out);
  const float (*constant_table)[kEntries];  ///< what look_up_constant reads; a symbol to copy to
};

/// The kernels of chapters/04_read_only_cache/kernels.cuh; where mutants are tested, with one
/// replaced.
Kernels kernels_under_test();
