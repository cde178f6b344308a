// All four numbers in one store.

__global__ void cut_bytes(int width, int left, const unsigned char* picture,
                          unsigned char* window) {
  const int pixel = threadIdx.y * 32 + threadIdx.x;
  window[pixel] = picture[pixel / 32 * width + left + pixel % 32];
}

__global__ void cut_floats(int width, int left, const float* picture, float* window) {
  const int pixel = threadIdx.y * 32 + threadIdx.x;
  window[pixel] = picture[pixel / 32 * width + left + pixel % 32];
}

__global__ void answers(int* sectors) {
  *reinterpret_cast<int4*>(sectors) = make_int4(8, 16, 15, 40);
}
