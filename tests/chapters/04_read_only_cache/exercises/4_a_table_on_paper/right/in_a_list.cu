// The answers in a loop over a list.
__global__ void slope(const float* palette, float* colours) {
  const int lane = threadIdx.x;
  colours[lane] = palette[40 + lane / 2];
}

__global__ void border(const float* palette, float* colours) {
  const int lane = threadIdx.x;
  colours[lane] = palette[lane < 20 ? 7 : 8];
}

__global__ void noise(const float* palette, float* colours) {
  const int lane = threadIdx.x;
  colours[lane] = palette[lane * 5];
}

__global__ void answers(int* answer) {
  const int said[] = {16, 2, 2, 2, 32, 20};
  for (int question = 0; question < 6; ++question) answer[question] = said[question];
}
