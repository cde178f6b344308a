// No padding: fours of rows change places, as in TMA's swizzle.
__global__ void turn(int m, int k, const float* A, float* turned) {
  __shared__ __align__(16) float4 tile[32][16];  // four rows each
  const int row0 = blockIdx.y * 64, k0 = blockIdx.x * 32;
  const int thread = static_cast<int>(threadIdx.x), eighth = thread % 8;
  for (int row = thread / 8; row < 64; row += 16) {
    const float4 a = reinterpret_cast<const float4*>(A + (row0 + row) * k + k0)[eighth];
    const float own[4] = {a.x, a.y, a.z, a.w};
    for (int i = 0; i < 4; ++i)
      reinterpret_cast<float*>(&tile[4 * eighth + i][row / 4 ^ eighth])[row % 4] = own[i];
  }
  __syncthreads();
  const int four = thread % 16;
  for (int p = thread / 16; p < 32; p += 8)
    reinterpret_cast<float4*>(turned + (k0 + p) * m + row0)[four] = tile[p][four ^ p / 4];
}
