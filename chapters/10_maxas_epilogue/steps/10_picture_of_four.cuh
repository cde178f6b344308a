#pragma once

#include <cuda_runtime.h>

#include "09_picture.cuh"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "problem.cuh"

namespace picture_of_four {

constexpr int kPixelsWide = 8, kPixelsHigh = 16;  // a block

/// Draws and paints a pixel: its four points, one after the other. `count(c_x, c_y)` returns the
/// steps of a point.
template <class Count>
__device__ void draw_pixel(const Picture& p, Count count) {
  const int width = p.wide / 2, height = p.high / 2;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;

  unsigned colours[4];
  for (int k = 0; k < 4; ++k) {
    const float c_x = fmaf(3.0f / p.wide, 2 * col + k % 2, -2.25f);
    const float c_y = fmaf(2.5f / p.high, 2 * row + k / 2, -1.25f);
    colours[k] = p.palette[count(c_x, c_y)];
  }

  for (int channel = 0; channel < 3; ++channel) {
    unsigned sum = 0;
    for (int k = 0; k < 4; ++k) sum += colours[k] >> (16 - 8 * channel) & 255;
    p.planes[(channel * height + row) * width + col] = sum / 4;
  }
}

/// Draws and paints at once, without shared memory: the thread that stores a pixel draws its four
/// points, so that no lane needs a number of another one.
/// @expect  no global load but of the palette: 4 requests per full warp; 3 store requests, each of
/// 4
///          sectors, where 64 divides wide
/// @pre     the grid covers the pixels; wide and high are even
static __global__ void draw(const Picture p) {
  draw_pixel(p, [&](float c_x, float c_y) { return picture::steps_of(c_x, c_y, p.most); });
}

/// Launches `kernel` with a thread for each pixel.
inline void launch_pixels(void (*kernel)(Picture), const Picture& p, cudaStream_t stream) {
  const dim3 grid(course::divide_up(p.wide / 2, kPixelsWide),
                  course::divide_up(p.high / 2, kPixelsHigh));
  kernel<<<grid, dim3(kPixelsWide, kPixelsHigh), 0, stream>>>(p);
  course::check_launch();
}

inline void launch(const Picture& p, cudaStream_t stream) { launch_pixels(draw, p, stream); }

}  // namespace picture_of_four
