// Exercise 02.1: a warp along a row of C. `./course check 02 --exercise 1` says how far you are.

/// C = A B with a block that is a line of threads, at no more than 5 sectors per two load requests.
///
/// The grid covers n in x and m in y with tiles of C, each `width` columns wide and `height` rows
/// high. Wide tiles come, such as 64 x 16, and tall ones, such as 16 x 64. A block has width x
/// height threads in a line, one for each element of its tile.
__global__ void sgemm_from_a_line(int m, int n, int k,
                                  const float* A,  // [m, k]
                                  const float* B,  // [k, n]
                                  float* C,        // [m, n]
                                  int width, int height) {
#ifdef COURSE_SOLUTION
  const int row = blockIdx.y * height + threadIdx.x / width;
  const int col = blockIdx.x * width + threadIdx.x % width;
#else
  // TODO: the same tile, but so that a warp walks along a row of C, as far as the tile is wide.
  const int row = blockIdx.y * height + threadIdx.x % height;
  const int col = blockIdx.x * width + threadIdx.x / height;
#endif
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}
