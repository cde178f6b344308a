// Works the requests out: a warp executes what any of its lanes wants.
__global__ void answers(int* requests) {
  for (int question = 1; question <= 6; ++question) {
    int sum = 0;
    for (int warp = 0; warp < 2; ++warp) {
      int rounds = 0;
      unsigned sides = 0;
      for (int thread = 32 * warp; thread < 32 * warp + 32; ++thread) {
        if (question == 1 && thread % 4 == 0) sides |= 1;
        if (question == 2) sides |= 1u << thread % 4;
        if (question == 3) rounds = max(rounds, thread % 8);
        if (question == 4) rounds = max(rounds, thread / 8);
        if (question == 5) sides |= thread % 8 < 4 ? 1 : 2;
        if (question == 6) sides |= thread / 8 < 4 ? 1 : 2;
      }
      sum += rounds + __popc(sides);
    }
    requests[question - 1] = sum;
  }
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
