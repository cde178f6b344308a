// Counts up until the next row begins at a sector.
constexpr int kSectorBytes = 32;

__device__ int row_pitch(int width) {
  int pitch = width;
  while (3 * pitch % kSectorBytes != 0) ++pitch;
  return pitch;
}

__global__ void report_pitch(int width, int* pitch) { *pitch = row_pitch(width); }

__global__ void negative(int width, int pitch, const unsigned char* in, unsigned char* out) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= 3 * width) return;

  const int byte = blockIdx.y * pitch * 3 + k;
  out[byte] = 255 - in[byte];
}
