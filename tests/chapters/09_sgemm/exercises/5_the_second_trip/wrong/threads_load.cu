// No bulk copies: every thread loads its column.
//! copies, meetings, warps
//= loads of threads count twice
__global__ void column_sums(int rows, const float* in, float* sums) {
  if (threadIdx.x >= 128) return;
  float sum = 0.0f;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) sum += in[row * 128 + threadIdx.x];
  sums[blockIdx.x * 128 + threadIdx.x] = sum;
}
