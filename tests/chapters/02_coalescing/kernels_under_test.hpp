#pragma once

/// @file
/// The chapter's kernels as pointers, so that a mutant can stand in for one of them.

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
};

/// The kernels of chapters/02_coalescing/kernels.cuh; where mutants are tested, with one replaced.
Kernels kernels_under_test();
