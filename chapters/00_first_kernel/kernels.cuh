#pragma once

/// Adds two arrays: every thread adds one pair of elements.
///
/// @expect  8 bytes read and 4 written per element, whatever the block
/// @pre     the grid covers n; blocks and grid are one-dimensional
__global__ void add(int n,
                    const float* a,  // [n]
                    const float* b,  // [n]
                    float* c) {      // [n]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

/// Adds two arrays with a grid of any size: every thread goes on to the pair that lies a whole grid
/// further, until there are no more.
///
/// @expect  as many bytes as add
/// @pre     blocks and grid are one-dimensional
__global__ void add_grid_stride(int n,
                                const float* a,  // [n]
                                const float* b,  // [n]
                                float* c) {      // [n]
  const int grid_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += grid_threads) {
    c[i] = a[i] + b[i];
  }
}

/// Writes 42: what is left of a kernel's time when the kernel has nothing to do.
///
/// @expect  one request, of one lane, that stores 4 bytes; no load
__global__ void answer(int* out) {  // [1]
  if (threadIdx.x == 0) *out = 42;
}

/// Draws the Mandelbrot set: every thread follows the point of one pixel and counts its steps until
/// it is 2 away from the origin, or gives up after `most` steps.
///
/// The point c of a pixel lies between (-2.25, -1.25) and (0.75, 1.25). A step is z = z^2 + c. Each
/// product is fused with the sum that follows, on the CPU too, so that both count alike.
/// @expect  4 bytes written per pixel, none read
/// @pre     the grid covers width x height in x and y
__global__ void mandelbrot(int width, int height, int most,
                           int* steps) {  // [height, width]
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;

  const float c_x = fmaf(3.0f / width, col, -2.25f);
  const float c_y = fmaf(2.5f / height, row, -1.25f);
  float x = 0.0f, y = 0.0f;
  int step = 0;
  for (; step < most; ++step) {
    const float x_squared = x * x;
    if (fmaf(y, y, x_squared) > 4.0f) break;
    const float y_next = fmaf(x + x, y, c_y);
    x = fmaf(y, -y, x_squared) + c_x;
    y = y_next;
  }
  steps[row * width + col] = step;
}
