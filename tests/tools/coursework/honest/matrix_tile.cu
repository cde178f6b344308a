// A tiled product of n/32 x 32 and 32 x 32 elements, with a tile of results per thread.
constexpr int kTile = 32;
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ float a[kTile][kTile + 1];
  float sum[8] = {};
  const int row = threadIdx.x % kTile, group = threadIdx.x / kTile;
  for (int k0 = 0; k0 < n / kTile; k0 += 8) {
    for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x)
      a[i / kTile][i % kTile] = (k0 * kTile + i) < n ? in[k0 * kTile + i] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k)
      for (int j = 0; j < 8; ++j) sum[j] += a[row][k] * a[k][group * 8 + j];
    __syncthreads();
  }
  for (int j = 0; j < 8; ++j)
    if (row * kTile + group * 8 + j < n) out[row * kTile + group * 8 + j] = sum[j];
}
