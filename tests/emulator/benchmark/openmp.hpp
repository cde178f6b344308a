/// @file
/// The arithmetic of the benchmark's kernels as plain C++ on all cores (OpenMP) at -O3, as a person
/// without a GPU would write it.
#pragma once

namespace openmp {

/// c[i] = a[i] + b[i] for i < n.
void sum(const float* a, const float* b, float* c, int n);

/// C = A B, row-major, n x n: an inner product at a time, as the naive kernel's threads do.
void sgemm_by_element(int n,
                      const float* A,  // [n, n]
                      const float* B,  // [n, n]
                      float* C);       // [n, n]

/// The same product, 32 columns at a time, which the compiler can vectorise.
void sgemm_by_lanes(int n,
                    const float* A,  // [n, n]
                    const float* B,  // [n, n]
                    float* C);       // [n, n]

/// The same product with copied tiles of A and B, as in the tiled kernel's blocks.
void sgemm_by_tiles(int n,
                    const float* A,  // [n, n]
                    const float* B,  // [n, n]
                    float* C);       // [n, n]

/// sums[b] = the sum of block b's `of_block` elements.
void reduce(const float* in, float* sums, int blocks, int of_block);

/// out[col, row] = in[row, col], n x n.
void transpose(const float* in, float* out, int n);

/// Adds the frequency of each byte v to bins[v].
void histogram(const unsigned char* in, unsigned* bins, int n);

/// The price of a European call for each of n options, with one rate and one volatility.
void black_scholes(const float* price, const float* strike, const float* years, float* call, int n);

/// out = the mean of each element and its four neighbours, n x n, without the edge.
void stencil(const float* in, float* out, int n);

}  // namespace openmp
