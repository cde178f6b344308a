#pragma once

/// @file
/// Pointers to the chapter's kernels, one of which a mutant can replace.

using Sgemm = void(int m, int n, int k, float alpha, const float* A, const float* B, float beta,
                   float* C);

struct Kernels {
  void (*copy_strided)(int n, int stride, const float* in, float* out);
  void (*copy_permuted)(int n, const float* in, float* out);
  void (*copy_broadcast)(int n, const float* in, float* out);
  void (*copy_doubles)(int n, const double* in, double* out);
  Sgemm* sgemm_naive;
  void (*sgemm_coalesced)(int m, int n, int k, float alpha, const float* A, const float* B,
                          float beta, float* C, int block);
  Sgemm* sgemm_coalesced_2d;
  void (*read_from_l1)(int passes, int lines, int stride, const float* in, float* out);
};

/// Returns the kernels of chapters/02_coalescing/kernels.cuh; in mutant tests, one is replaced.
Kernels kernels_under_test();
