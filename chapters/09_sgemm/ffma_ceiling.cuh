#pragma once

/// As many FFMA as a multiprocessor can do: an outer product from registers, again and again.
///
/// Back and forth along the rows, so that every FFMA shares an operand with the one before it.
/// @expect  FFMA per thread: 512 rounds
/// @pre     256 threads
__global__ void __launch_bounds__(256) ffma_ceiling(int rounds,
                                                    const float* in,  // [16, 256]
                                                    float* out) {     // [blocks, 256]
  constexpr int kOwn = 8, kTimes = 8;  // 512 FFMA a round: the loop costs next to nothing
  float a[kOwn], b[kOwn], sum[kOwn][kOwn] = {};
  for (int i = 0; i < kOwn; ++i) a[i] = in[i * blockDim.x + threadIdx.x];
  for (int j = 0; j < kOwn; ++j) b[j] = in[(kOwn + j) * blockDim.x + threadIdx.x];

#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int time = 0; time < kTimes; ++time)
#pragma unroll
      for (int i = 0; i < kOwn; ++i)
#pragma unroll
        for (int step = 0; step < kOwn; ++step) {
          const int j = i % 2 ? kOwn - 1 - step : step;
          sum[i][j] = fmaf(a[i], b[j], sum[i][j]);  // a[i] * b[j] alone would leave the loop
        }

  float total = 0.0f;
  for (int i = 0; i < kOwn; ++i)
    for (int j = 0; j < kOwn; ++j) total += sum[i][j];
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
