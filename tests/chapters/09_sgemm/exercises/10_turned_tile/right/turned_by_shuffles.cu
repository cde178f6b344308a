// Four lanes turn their 4 x 4 floats by shuffles. Then they store 16 bytes each, to places in which
// fours of rows are moved round.
__global__ void turn(int m, int k, const float* A, float* turned) {
  __shared__ __align__(16) float tile[32][64];
  const int row0 = blockIdx.y * 64, k0 = blockIdx.x * 32;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int r = lane / 8, four_k = lane % 8;
  for (int rows = 4 * warp; rows < 64; rows += 16) {
    const float4 a = *reinterpret_cast<const float4*>(&A[(row0 + rows + r) * k + k0 + 4 * four_k]);
    const float own[4] = {a.x, a.y, a.z, a.w};
    float column[4];
    for (int step = 0; step < 4; ++step)
      column[r ^ step] = __shfl_xor_sync(0xffffffff, own[r ^ step], 8 * step);
    *reinterpret_cast<float4*>(&tile[4 * four_k + r][(rows + 4 * four_k) % 64]) =
        make_float4(column[0], column[1], column[2], column[3]);
  }
  __syncthreads();
  for (int p = threadIdx.x / 16; p < 32; p += 8) {
    const int row = threadIdx.x % 16 * 4;
    *reinterpret_cast<float4*>(&turned[(k0 + p) * m + row0 + row]) =
        *reinterpret_cast<const float4*>(&tile[p][(row + p / 4 * 4) % 64]);
  }
}
