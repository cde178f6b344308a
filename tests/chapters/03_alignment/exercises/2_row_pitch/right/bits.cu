// A multiple of 32 by its bits, and rows from the other end.
#include <cstdio>

__device__ int row_pitch(int width) { return (width + 31) & ~31; }

__global__ void report_pitch(int width, int* pitch) {
  pitch[0] = row_pitch(width);
  printf("a pitch of %d\n", *pitch);
}

__global__ void negative(int width, int, const unsigned char* in, unsigned char* out) {
  const int row = gridDim.y - 1 - blockIdx.y, row_bytes = 3 * row_pitch(width);
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < 3 * width; k += gridDim.x * blockDim.x)
    (out + row * row_bytes)[k] = 255 ^ (in + row * row_bytes)[k];
}
