// A round, and then what is left: the function calls itself.
constexpr float kWait = 382.0f + 29.0f + 31.0f;

__device__ float panel(const float* known, float blocks) {
  const float w = fmaxf(0.25f * known[0], known[1]);
  const float units = known[2] / 32.0f * (known[3] / 64.0f) * known[4];
  const bool alone = blocks * known[5] < 129.0f;
  return fmaf(blocks * units, w, fmaf(kWait, known[7], alone ? known[4] * 29.0f : 0.0f));
}

__device__ float rounds(const float* known, float left, float k_tiles) {
  if (left < 0.5f) return 0.0f;
  const float now = fminf(left, known[6]);
  return 666.0f + k_tiles * panel(known, now) + rounds(known, left - now, k_tiles);
}

__global__ void predict(const float* known, int m, int n, int k, float* cycles) {
  cycles[0] = fmaxf(0.25f * known[0], known[1]);
  cycles[1] = panel(known, known[6]);
  const float tiles = ceilf(m / known[2]) * ceilf(n / known[3]);
  cycles[2] = 1115.0f + rounds(known, ceilf(tiles / 132.0f), ceilf(k / known[4]));
}
