// The tile lies in shared memory as it does in A, and is turned when it is read, float by float.
//! reads
//= A lane reads one float at a time.
__global__ void turn(int m, int k, const float* A, float* turned) {
  // Four rows further is four banks further: the eights of floats change places.
  __shared__ __align__(16) float tile[64][32];
  const int row0 = blockIdx.y * 64, k0 = blockIdx.x * 32;
  const auto place = [](int row, int p) { return p ^ row / 4 % 8 * 4; };
  for (int i = threadIdx.x; i < 64 * 8; i += 128) {
    const int row = i / 8, p = i % 8 * 4;
    *reinterpret_cast<float4*>(&tile[row][place(row, p)]) =
        *reinterpret_cast<const float4*>(&A[(row0 + row) * k + k0 + p]);
  }
  __syncthreads();
  // Lanes: eight fours of rows, and four p.
  for (int i = threadIdx.x; i < 16 * 32; i += 128) {
    const int row = i / 128 * 16 % 64 + i % 4 * 4, p = i / 4 % 32;
    float4 rows;
    rows.x = tile[row][place(row, p)];
    rows.y = tile[row + 1][place(row + 1, p)];
    rows.z = tile[row + 2][place(row + 2, p)];
    rows.w = tile[row + 3][place(row + 3, p)];
    *reinterpret_cast<float4*>(&turned[(k0 + p) * m + row0 + row]) = rows;
  }
}
