// The answers are worked out where they are written, by a thread of its own each.
__global__ void load_once(int pattern, const float* in, float* out) {
  const int lane = threadIdx.x;
  float value = 0.0f;
  if (pattern == 0) value = in[3 * lane];
  if (pattern == 1 && lane % 2 == 0) value = in[lane];
  if (pattern == 2) value = in[lane / 4 * 100];
  if (pattern == 3) value = in[lane / 8 * 640 + lane % 8];
  if (pattern == 4) value = in[lane / 16 * 640 + lane % 16 * 2];
  out[lane] = value;
}

__global__ void answers(int* sectors) {
  constexpr int kFloatsPerSector = 32 / sizeof(float);
  const int last_of_every_third = 3 * 31;
  sectors[0] = last_of_every_third / kFloatsPerSector + 1;
  sectors[1] = 32 / kFloatsPerSector;
  sectors[2] = 32 / 4;
  sectors[3] = 4 * 1;
  sectors[4] = 2 * (16 * 2 / kFloatsPerSector);
}
