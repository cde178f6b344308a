// All of them at once.
__global__ void answers(int* requests) {
  const int mine[] = {1 + 1, 4 + 4, 7 + 7, 3 + 7, 2 + 2, 1 + 1};
  for (int i = 0; i < 6; ++i) requests[i] = mine[i];
}

__global__ void experiment(int question,
                           const float* in,  // [512]
                           float* out) {     // [64]
  const int thread = threadIdx.x + blockDim.x * threadIdx.y;
  float x = 0.0f;
  if (question == 1) {
    if (thread % 4 == 0) x = in[thread];
  } else if (question == 2) {
    if (thread % 4 == 0) {
      x = in[thread];
    } else if (thread % 4 == 1) {
      x = 2 * in[64 + thread];
    } else if (thread % 4 == 2) {
      x = 3 * in[128 + thread];
    } else {
      x = 4 * in[192 + thread];
    }
  } else if (question == 3) {
    for (int round = 0; round < thread % 8; ++round) x += in[64 * round + thread];
  } else if (question == 4) {
    for (int round = 0; round < thread / 8; ++round) x += in[64 * round + thread];
  } else if (question == 5) {
    if (threadIdx.x < 4) {
      x = in[thread];
    } else {
      x = 2 * in[64 + thread];
    }
  } else if (question == 6) {
    if (threadIdx.y < 4) {
      x = in[thread];
    } else {
      x = 2 * in[64 + thread];
    }
  }
  out[thread] = x;
}
