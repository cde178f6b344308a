// Sums instead of results, and the kernels written out.

__global__ void cut_bytes(int width, int left, const unsigned char* picture,
                          unsigned char* window) {
  picture += threadIdx.y * width + left;
  window += 32 * threadIdx.y;
  window[threadIdx.x] = picture[threadIdx.x];
}

__global__ void cut_floats(int width, int left, const float* picture, float* window) {
  picture += threadIdx.y * width + left;
  window += 32 * threadIdx.y;
  window[threadIdx.x] = picture[threadIdx.x];
}

__global__ void answers(int* sectors) {
  sectors[0] = 8 * 1;
  sectors[1] = 8 * 2;
  sectors[2] = 1 + 7 * 2;
  sectors[3] = 8 * 5;
}
