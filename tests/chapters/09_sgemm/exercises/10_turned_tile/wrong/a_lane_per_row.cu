// Neighbouring lanes have neighbouring rows. No bank conflicts, but half of each sector is used.
//! sectors
//= each uses 16 bytes of a sector of 32
__global__ void turn(int m, int k, const float* A, float* turned) {
  __shared__ __align__(16) float tile[32][64];
  const int row = threadIdx.x % 64, row0 = blockIdx.y * 64, k0 = blockIdx.x * 32;
  for (int p = threadIdx.x / 64 * 4; p < 32; p += 8) {
    const float4 a = *reinterpret_cast<const float4*>(&A[(row0 + row) * k + k0 + p]);
    tile[p][row] = a.x;
    tile[p + 1][row] = a.y;
    tile[p + 2][row] = a.z;
    tile[p + 3][row] = a.w;
  }
  __syncthreads();
  for (int p = threadIdx.x / 16; p < 32; p += 8) {
    const int four = threadIdx.x % 16 * 4;
    *reinterpret_cast<float4*>(&turned[(k0 + p) * m + row0 + four]) =
        *reinterpret_cast<const float4*>(&tile[p][four]);
  }
}
