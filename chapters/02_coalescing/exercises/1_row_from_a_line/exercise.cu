// Exercise 02.1: a warp along a row of C. `./course check 02 --exercise 1` says how far you are.

/// C = A B with a one-dimensional block, at 5 sectors per two load requests.
///
/// The grid covers n in x and m in y with tiles of block x block elements; a block has
/// block x block threads in a line.
__global__ void sgemm_from_a_line(int m, int n, int k,
                                  const float* A,  // [m, k]
                                  const float* B,  // [k, n]
                                  float* C,        // [m, n]
                                  int block) {
#ifdef COURSE_SOLUTION
  const int row = blockIdx.y * block + threadIdx.x / block;
  const int col = blockIdx.x * block + threadIdx.x % block;
#else
  // TODO: the same tile, but so that a warp walks along a row of C.
  const int row = blockIdx.y * block + threadIdx.x % block;
  const int col = blockIdx.x * block + threadIdx.x / block;
#endif
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}
