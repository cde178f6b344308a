// One warp of four turns the tile.
//! warps
//= requests of the busiest warp
__global__ void turn(int m, int k, const float* A, float* turned) {
  __shared__ __align__(16) float tile[8][4 * 64 + 4];
  if (threadIdx.x >= 32) return;
  const int row0 = blockIdx.y * 64, k0 = blockIdx.x * 32;
  const int four = threadIdx.x % 8;
  for (int row = threadIdx.x / 8; row < 64; row += 4) {
    const float4 a = *reinterpret_cast<const float4*>(&A[(row0 + row) * k + k0 + 4 * four]);
    tile[four][row] = a.x;
    tile[four][64 + row] = a.y;
    tile[four][128 + row] = a.z;
    tile[four][192 + row] = a.w;
  }
  __syncwarp();
  for (int p = threadIdx.x / 16; p < 32; p += 2) {
    const int row = threadIdx.x % 16 * 4;
    *reinterpret_cast<float4*>(&turned[(k0 + p) * m + row0 + row]) =
        *reinterpret_cast<const float4*>(&tile[p / 4][p % 4 * 64 + row]);
  }
}
