// The experiment finds the same, but a lane at a time, and so it counts what the answers say.
//! experiment, question 1, question 2, question 3, question 4, question 5, question 6
//= it loads or stores more or less often, or otherwise
__global__ void answers(int* requests) {
  const int lanes[6] = {16, 64, 224, 224, 64, 64};
  for (int k = 0; k < 6; ++k) requests[k] = lanes[k];
}

__device__ float found_by(int question, int thread, const float* in) {
  float x = 0.0f;
  if (question == 1) return thread % 4 == 0 ? in[thread] : 0.0f;
  if (question == 2) return (thread % 4 + 1) * in[64 * (thread % 4) + thread];
  if (question > 4) {
    const bool is_first = (question == 5 ? thread % 8 : thread / 8) < 4;
    return is_first ? in[thread] : 2 * in[64 + thread];
  }
  const int rounds = question == 3 ? thread % 8 : thread / 8;
  for (int round = 0; round < rounds; ++round) x += in[64 * round + thread];
  return x;
}

__global__ void experiment(int question, const float* in, float* out) {
  const int thread = threadIdx.x + blockDim.x * threadIdx.y;
  float x = 0.0f;
  for (int turn = 0; turn < 32; ++turn)
    if (thread % 32 == turn) x = found_by(question, thread, in);
  out[thread] = x;
}
