#pragma once

/// @file
/// The chapter's kernels as pointers, so that a mutant can stand in for one of them.

#include <cstddef>

using Staged = void(int m, int n, int k, float alpha, const float* A, std::size_t lda,
                    const float* B, std::size_t ldb, float beta, float* C, std::size_t ldc,
                    int pad);
using Direct = void(int m, int n, int k, float alpha, const float* A, std::size_t lda,
                    const float* B, std::size_t ldb, float beta, float* C, std::size_t ldc);

struct Kernels {
  Staged* maxas_64;
  Staged* maxas_256;
  Staged* maxas_64_unsynchronised;
  Direct* maxas_64_direct;
  Direct* maxas_256_direct;
  Direct* maxas_256_wide;
};

/// The kernels of chapters/10_maxas_epilogue/kernels.cuh; where mutants are tested, with one
/// replaced.
Kernels kernels_under_test();
