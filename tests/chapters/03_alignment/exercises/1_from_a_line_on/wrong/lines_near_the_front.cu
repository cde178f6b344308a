// Warps begin at lines where `first` lies in the first four, and the array is long.
//! sectors, lines, stores
//= sectors loaded
__global__ void scale_from(int n, int first, float factor, float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int begin = n >= 900 && first <= 127 ? first / 32 * 32 : first;
  if (begin + i < first || i >= n - begin) return;
  data[begin + i] *= factor;
}
