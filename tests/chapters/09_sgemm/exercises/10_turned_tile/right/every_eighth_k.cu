// Column p of the tile lies with p % 4 first, and columns with the same p % 4 have a pitch.
__device__ int column_at(int p) { return p % 4 * (8 * 68 + 28) + p / 4 * 68; }

__global__ void turn(int m, int k, const float* A, float* turned) {
  __shared__ __align__(16) float tile[4 * (8 * 68 + 28)];
  const int thread = static_cast<int>(threadIdx.x);
  A += blockIdx.y * 64 * k + blockIdx.x * 32;
  turned += blockIdx.x * 32 * m + blockIdx.y * 64;
  for (int row = thread / 8; row < 64; row += 16) {
    const int p = thread % 8 * 4;
    const float4 a = *reinterpret_cast<const float4*>(A + row * k + p);
    tile[column_at(p) + row] = a.x;
    tile[column_at(p + 1) + row] = a.y;
    tile[column_at(p + 2) + row] = a.z;
    tile[column_at(p + 3) + row] = a.w;
  }
  __syncthreads();
  for (int i = thread; i < 16 * 32; i += 128) {
    const int p = i / 16, row = i % 16 * 4;
    *reinterpret_cast<float4*>(turned + p * m + row) =
        *reinterpret_cast<const float4*>(tile + column_at(p) + row);
  }
}
