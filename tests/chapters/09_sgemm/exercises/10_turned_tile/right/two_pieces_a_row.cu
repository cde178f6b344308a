// A warp loads whole sectors of 16 rows, two lanes each. Then a plain pitch is enough: rows have 16
// banks, and four k further is 16 banks further.
__global__ void turn(int m, int k, const float* A, float* turned) {
  constexpr int kPitch = 64 + 4;
  __shared__ __align__(16) float tile[32 * kPitch];
  const int row0 = blockIdx.y * 64, k0 = blockIdx.x * 32;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int own_row = 16 * warp + lane / 2;
  for (int p = lane % 2 * 4; p < 32; p += 8) {
    const float4 a = *reinterpret_cast<const float4*>(A + (row0 + own_row) * k + k0 + p);
    float* const to = tile + p * kPitch + own_row;
    to[0] = a.x;
    to[kPitch] = a.y;
    to[2 * kPitch] = a.z;
    to[3 * kPitch] = a.w;
  }
  __syncthreads();
  const int four = lane % 16 * 4;
  for (int p = 2 * warp + lane / 16; p < 32; p += 8)
    *reinterpret_cast<float4*>(turned + (k0 + p) * m + row0 + four) =
        *reinterpret_cast<const float4*>(tile + p * kPitch + four);
}
