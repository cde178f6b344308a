// The kernels written otherwise: the same entries.
__global__ void slope(const float* palette, float* colours) {
  colours[threadIdx.x] = palette[(80 + threadIdx.x) >> 1];
}

__global__ void border(const float* palette, float* colours) {
  colours[threadIdx.x] = palette[7 + (threadIdx.x >= 20)];
}

__global__ void noise(const float* palette, float* colours) {
  colours[threadIdx.x] = (palette + 4 * threadIdx.x)[threadIdx.x];
}

__global__ void answers(int* answer) {
  answer[0] = 32 / 2;
  answer[1] = answer[2] = answer[3] = 2;
  answer[4] = 32;
  answer[5] = 155 / 8 + 1;
}
