// Exercise 01.3: how many requests? `./course check 01 --exercise 3` says how far you are.

/// Your predictions: how many load requests do both warps of the block make together, in each
/// question of the experiment below? Work them out before you check.
__global__ void answers(int* requests) {  // [6]
#ifdef COURSE_SOLUTION
  requests[0] = 2;
  requests[1] = 8;
  requests[2] = 14;
  requests[3] = 10;
  requests[4] = 4;
  requests[5] = 2;
#else
  requests[0] = 0;  // TODO: question 1
  requests[1] = 0;  // TODO: question 2
  requests[2] = 0;  // TODO: question 3
  requests[3] = 0;  // TODO: question 4
  requests[4] = 0;  // TODO: question 5
  requests[5] = 0;  // TODO: question 6
#endif
}

/// The experiment, as given: leave it as it is.
///
/// It is launched six times, once for each question, with one block of 64 threads: 64 in a line for
/// questions 1 to 4, and 8 x 8 for questions 5 and 6. Loads are counted as they stand here.
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
