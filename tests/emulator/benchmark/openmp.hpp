/// @file
/// The arithmetic of the benchmark's kernels as plain C++ on all cores (OpenMP), at -O3: what a
/// person would write who has no GPU.
#pragma once

namespace openmp {

/// c[i] = a[i] + b[i] for i < n.
void sum(const float* a, const float* b, float* c, int n);

/// C = A B, row-major, n x n: an inner product at a time, as the naive kernel's threads do.
void sgemm_by_element(int n,
                      const float* A,  // [n, n]
                      const float* B,  // [n, n]
                      float* C);       // [n, n]

/// The same: 32 columns side by side, which the compiler can put into vectors.
void sgemm_by_lanes(int n,
                    const float* A,  // [n, n]
                    const float* B,  // [n, n]
                    float* C);       // [n, n]

/// The same: tiles of A and B are copied first, as the tiled kernel's blocks do.
void sgemm_by_tiles(int n,
                    const float* A,  // [n, n]
                    const float* B,  // [n, n]
                    float* C);       // [n, n]

/// sums[b]: of the elements of block b, `of_block` each.
void reduce(const float* in, float* sums, int blocks, int of_block);

/// out[col, row] = in[row, col], n x n.
void transpose(const float* in, float* out, int n);

/// bins[v] += how often v is among the bytes.
void histogram(const unsigned char* in, unsigned* bins, int n);

/// The price of a European call for each of n options, with a rate and a volatility for all.
void black_scholes(const float* price, const float* strike, const float* years, float* call, int n);

/// out = the mean of each element and its four neighbours, n x n, but for the edge.
void stencil(const float* in, float* out, int n);

}  // namespace openmp
