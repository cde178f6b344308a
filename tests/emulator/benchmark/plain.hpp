/// @file
/// The benchmark's arithmetic as plain single-threaded C++, compiled without instrumentation.
#pragma once

namespace plain {

/// c[i] = a[i + offset] + b[i + offset] for i + offset < n.
void read_offset(const float* a, const float* b, float* c, int n, int offset);

/// C = A B, row-major, the inner product of a row and a column at a time.
void sgemm(int m, int n, int k,
           const float* A,  // [m, k]
           const float* B,  // [k, n]
           float* C);       // [m, n]

}  // namespace plain
