// No shared memory: four lanes turn their four by four pairs round by shuffles.
#include <cuda_bf16.h>

__global__ void end_layer(int m, int n,
                          const float* sums,   // [m, n]
                          const float* bias,   // [n]
                          __nv_bfloat16* C) {  // [m, n]
  const int lane = threadIdx.x, quarter = lane % 4;
  const int row = blockIdx.y * 8 + lane / 4, left = blockIdx.x * 32;
  if (row >= m) return;
  unsigned words[4];
  for (int j = 0; j < 4; ++j) {
    const int col = left + 8 * j + quarter * 2;
    const float2 s = *reinterpret_cast<const float2*>(&sums[row * n + col]);
    const float2 b = *reinterpret_cast<const float2*>(&bias[col]);
    const __nv_bfloat162 pair =
        __floats2bfloat162_rn(fmaxf(s.x + b.x, 0.0f), fmaxf(s.y + b.y, 0.0f));
    words[j] = __bfloat16_as_ushort(pair.x) | __bfloat16_as_ushort(pair.y) << 16;
  }
  // In round r, a lane sends what the lane r further in its row is to store.
  unsigned chunk[4];
  for (int r = 0; r < 4; ++r) {
    const int from = (quarter - r + 4) % 4;
    chunk[from] = __shfl_sync(0xffffffffu, words[(quarter + r) % 4], lane - quarter + from);
  }
  *reinterpret_cast<uint4*>(&C[row * n + left + 8 * quarter]) =
      make_uint4(chunk[0], chunk[1], chunk[2], chunk[3]);
}
