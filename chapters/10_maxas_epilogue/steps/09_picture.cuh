#pragma once

#include <cuda_runtime.h>

#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "problem.cuh"

namespace picture {

/// Returns how often z = z^2 + c can be applied before z runs away, `most` times at most: eight
/// steps at a time, as in chapter 07.
static __device__ int steps_of(float c_x, float c_y, int most) {
  float x = 0.0f, y = 0.0f;
  int step = 0;
  for (; step + 8 <= most; step += 8) {
    const float old_x = x, old_y = y;
    for (int u = 0; u < 8; ++u) {
      const float y_next = fmaf(x + x, y, c_y);
      x = fmaf(y, -y, x * x) + c_x;
      y = y_next;
    }
    if (!(fmaf(y, y, x * x) <= 4.0f)) {
      x = old_x;
      y = old_y;
      break;
    }
  }
  for (; step < most; ++step) {
    if (fmaf(y, y, x * x) > 4.0f) break;
    const float y_next = fmaf(x + x, y, c_y);
    x = fmaf(y, -y, x * x) + c_x;
    y = y_next;
  }
  return step;
}

constexpr int kPointsWide = 64, kPointsHigh = 4;  // a block

/// Draws and paints at once: each thread counts the steps of one point, and leaves its colour in
/// shared memory. A quarter of the threads take four colours each, and store their mean.
///
/// The numbers of steps stay in registers.
/// @expect  no global load but of the palette: a request per warp; 3 store requests of 1 sector for
///          4 full warps, where 64 divides wide
/// @pre     blocks are 64 x 4, and the grid covers the points; wide and high are even
static __global__ void __launch_bounds__(kPointsWide* kPointsHigh) draw(const Picture p) {
  __shared__ unsigned colours[kPointsHigh][kPointsWide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * kPointsWide, top = blockIdx.y * kPointsHigh;

  if (left + x < p.wide && top + y < p.high) {
    const float c_x = fmaf(3.0f / p.wide, left + x, -2.25f);
    const float c_y = fmaf(2.5f / p.high, top + y, -1.25f);
    colours[y][x] = p.palette[steps_of(c_x, c_y, p.most)];
  }
  __syncthreads();

  const int width = p.wide / 2, height = p.high / 2;
  const int col = left / 2 + x, row = top / 2 + y;
  if (x >= kPointsWide / 2 || y >= kPointsHigh / 2 || col >= width || row >= height) return;

  for (int channel = 0; channel < 3; ++channel) {
    unsigned sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += colours[2 * y + k / 2][2 * x + k % 2] >> (16 - 8 * channel) & 255;
    p.planes[(channel * height + row) * width + col] = sum / 4;
  }
}

inline void launch(const Picture& p, cudaStream_t stream) {
  const dim3 grid(course::divide_up(p.wide, kPointsWide), course::divide_up(p.high, kPointsHigh));
  draw<<<grid, dim3(kPointsWide, kPointsHigh), 0, stream>>>(p);
  course::check_launch();
}

}  // namespace picture
