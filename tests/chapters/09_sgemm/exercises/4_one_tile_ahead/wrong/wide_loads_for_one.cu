// No tile is ahead, but where C overlaps B. A is loaded 16 bytes a lane where 4 are needed, so that
// many bytes seem to be on their way ever after.
//! ahead, in flight, barriers, warps
//= loads that come too late for a store
/// A float by a load of the 16 bytes that it lies in: four times as many as anybody needs.
__device__ float by_four(const float* from, int i) {
  const float4 four = *reinterpret_cast<const float4*>(from + i / 4 * 4);
  return i % 4 == 0 ? four.x : i % 4 == 1 ? four.y : i % 4 == 2 ? four.z : four.w;
}

__global__ void wide_product(int n, const float* A, const float* B, float* C) {
  __shared__ float a[32][32], b[2][32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, stride = gridDim.x;
  const bool is_near = C > B && C < B + 32 * n;
  const auto fetch = [&](int tile, int place) {
    for (int row = warp; row < 32 && tile < n / 32; row += 8)
      b[place][row][lane] = B[row * n + tile * 32 + lane];
  };
  for (int row = warp; row < 32; row += 8) a[row][lane] = by_four(A, row * 32 + lane);
  int place = 0;
  if (is_near) fetch(blockIdx.x, 0);
  for (int tile = blockIdx.x; tile < n / 32; tile += stride, place ^= 1) {
    if (!is_near) fetch(tile, place);
    __syncthreads();
    if (is_near) fetch(tile + stride, 1 - place);
    for (int row = warp; row < 32; row += 8) {
      float sum = 0.0f;
      for (int p = 0; p < 32; ++p) sum += a[row][p] * b[place][p][lane];
      C[row * n + tile * 32 + lane] = sum;
    }
  }
}
