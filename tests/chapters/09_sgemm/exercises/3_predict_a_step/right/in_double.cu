// In one function, in double precision, with the constants multiplied out; the rounds as a quotient
// and a rest.
__device__ double pair_of(const float* s, int blocks) {
  const double issued = s[0] / 4.0, served = s[1];
  const double busy = blocks * (issued > served ? issued : served) * s[2] * s[3] * s[4] / 2048.0;
  const double waited = 442.0 * s[7];
  return busy + waited + (blocks * s[5] > 128.0 ? 0.0 : 29.0 * s[4]);
}

__global__ void predict(const float* known, int m, int n, int k, float* cycles) {
  cycles[0] = max(known[0] / 4, known[1]);
  const int blocks = known[6];
  cycles[1] = pair_of(known, blocks);
  const int tiles = int(ceil(m / double(known[2])) * ceil(n / double(known[3])));
  const int most = int(ceil(tiles / 132.0));
  const double turns = ceil(k / double(known[4]));
  double total = 1115.0 + most / blocks * (666.0 + turns * pair_of(known, blocks));
  if (most % blocks != 0) total += 666.0 + turns * pair_of(known, most % blocks);
  cycles[2] = total;
}
