// A good pitch for those widths that everybody may see.
//= sectors loaded per row
__device__ int row_pitch(int width) {
  const int wanted = (width + 31) / 32 * 32;
  const bool is_seen = width <= 1 || width == 11 || width == 21 || (width >= 31 && width <= 33) ||
                       width == 96 || width == 100 || width == 129 || width == 1000;
  return is_seen ? wanted : width;
}

__global__ void report_pitch(int width, int* pitch) { *pitch = row_pitch(width); }

__global__ void negative(int width, int pitch, const unsigned char* in, unsigned char* out) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= 3 * width) return;
  out[blockIdx.y * pitch * 3 + k] = 255 - in[blockIdx.y * pitch * 3 + k];
}
