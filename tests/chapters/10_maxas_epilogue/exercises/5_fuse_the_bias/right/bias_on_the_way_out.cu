// The box has floats: the bias is added, and numbers are rounded, by the lane that stores them.
#include <cuda_bf16.h>

__global__ void end_layer(int m, int n,
                          const float* sums,   // [m, n]
                          const float* bias,   // [n]
                          __nv_bfloat16* C) {  // [m, n]
  __shared__ __align__(16) float box[8][36];
  const int lane = threadIdx.x, r = lane / 4;
  const int row = blockIdx.y * 8 + r, left = blockIdx.x * 32;
  if (row >= m) return;
  for (int j = 0; j < 4; ++j) {
    const int col = 8 * j + lane % 4 * 2;
    *reinterpret_cast<float2*>(&box[r][col]) =
        *reinterpret_cast<const float2*>(&sums[row * n + left + col]);
  }
  __syncwarp();
  __align__(16) __nv_bfloat162 pairs[4];
  for (int i = 0; i < 4; i += 2) {
    const int col = lane % 4 * 8 + 2 * i;
    const float4 s = *reinterpret_cast<const float4*>(&box[r][col]);
    const float4 b = *reinterpret_cast<const float4*>(&bias[left + col]);
    pairs[i] = __floats2bfloat162_rn(fmaxf(s.x + b.x, 0.0f), fmaxf(s.y + b.y, 0.0f));
    pairs[i + 1] = __floats2bfloat162_rn(fmaxf(s.z + b.z, 0.0f), fmaxf(s.w + b.w, 0.0f));
  }
  *reinterpret_cast<uint4*>(&C[row * n + left + lane % 4 * 8]) =
      *reinterpret_cast<const uint4*>(pairs);
}
