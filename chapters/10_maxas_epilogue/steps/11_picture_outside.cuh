#pragma once

#include <cuda_runtime.h>

#include "10_picture_of_four.cuh"
#include "problem.cuh"

namespace picture_outside {

/// Returns whether c lies in the heart or in the largest disc of the Mandelbrot set, whose points
/// never run away. The heart is a cardioid with its cusp at 1/4; the disc has its centre at -1, and
/// a radius of 1/4.
inline __host__ __device__ bool never_runs_away(float c_x, float c_y) {
  const float y2 = c_y * c_y;
  const float to_cusp = c_x - 0.25f;
  const float distance2 = fmaf(to_cusp, to_cusp, y2);
  if (distance2 * (distance2 + to_cusp) <= 0.25f * y2) return true;  // in the heart
  return fmaf(c_x + 1.0f, c_x + 1.0f, y2) <= 0.0625f;                // in the disc
}

/// Draws and paints as picture_of_four does, but takes no step for points that are known never to
/// run away.
/// @expect  the requests of picture_of_four
/// @pre     as picture_of_four; at most 1000 steps, since a point that a rounding error puts into
///          the heart takes more of them
static __global__ void draw(const Picture p) {
  picture_of_four::draw_pixel(p, [&](float c_x, float c_y) {
    return never_runs_away(c_x, c_y) ? p.most : picture::steps_of(c_x, c_y, p.most);
  });
}

inline void launch(const Picture& p, cudaStream_t stream) {
  picture_of_four::launch_pixels(draw, p, stream);
}

}  // namespace picture_outside
