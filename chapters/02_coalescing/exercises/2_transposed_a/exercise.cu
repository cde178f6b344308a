// Exercise 02.2: C = A^T B. `./course check 02 --exercise 2` says how far you are.

/// C = A^T B: A is stored transposed, [k, m]. At most 5 sectors per two load requests, and the
/// fewest sectors for the stores of C.
///
/// The grid covers n in x and m in y; blocks are two-dimensional, and not always square.
__global__ void sgemm_transposed_a(int m, int n, int k,
                                   const float* A,  // [k, m]
                                   const float* B,  // [k, n]
                                   float* C) {      // [m, n]
#ifdef COURSE_SOLUTION
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
#else
  // TODO: is this the mapping for this grid, and for a C that is stored row by row?
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
#endif
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
#ifdef COURSE_SOLUTION
    const int index_in_a = p * m + row;
#else
    // TODO: where is the element for (row, p) in an A of [k, m]?
    const int index_in_a = row * k + p;
#endif
    sum += A[index_in_a] * B[p * n + col];
  }
  C[row * n + col] = sum;
}
