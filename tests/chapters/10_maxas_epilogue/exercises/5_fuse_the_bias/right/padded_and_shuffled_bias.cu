// The rows of the box are padded, and a lane loads the bias of one column for all.
#include <cuda_bf16.h>

__global__ void end_layer(int m, int n,
                          const float* sums,   // [m, n]
                          const float* bias,   // [n]
                          __nv_bfloat16* C) {  // [m, n]
  __shared__ uint4 box[8][5];
  const int lane = threadIdx.x, r = lane / 4;
  const int row = blockIdx.y * 8 + r, left = blockIdx.x * 32;
  const float all = bias[left + lane];  // a column for each lane: the others ask for it
  for (int j = 0; j < 4; ++j) {
    const int col = 8 * j + lane % 4 * 2;
    const float first = __shfl_sync(~0u, all, col), second = __shfl_sync(~0u, all, col + 1);
    const float2 s = *reinterpret_cast<const float2*>(&sums[row * n + left + col]);
    reinterpret_cast<__nv_bfloat162*>(box[r])[col / 2] =
        __floats2bfloat162_rn(fmaxf(s.x + first, 0.0f), fmaxf(s.y + second, 0.0f));
  }
  __syncwarp();
  *reinterpret_cast<uint4*>(&C[row * n + left + lane % 4 * 8]) = box[r][lane % 4];
  static_cast<void>(m);
}
