// A table of answers, and an experiment that counts bytes instead of naming structures.
__constant__ int kAnswers[5] = {16, 12, 5, 4, 3};

__global__ void load_field(int which, const float* from, float* to) {
  const int i = threadIdx.x;
  float x = 0.0f;
  if (which == 0) x = from[4 * i + 2];
  if (which == 1) x = from[3 * i + 2];
  if (which == 2) x = from[1001 + i];
  if (which == 3) x = from[16 * (i / 8) + 8 + i % 8];
  if (which == 4) x = reinterpret_cast<const unsigned char*>(from)[3 * i + 1];
  to[i] = x;
}

__global__ void answers(int* sectors) {
  int i = 0;
  for (const int answer : kAnswers) sectors[i++] = answer;
}
