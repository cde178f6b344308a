// Deals the tiles out, one SM after the other, and takes the one that is done last.
struct Counts {
  float instructions, wavefronts;
  int tile_m, tile_n, tile_k, threads, blocks, waits;
};

__device__ float work(const Counts& c) {
  return c.instructions > 4 * c.wavefronts ? c.instructions / 4 : c.wavefronts;
}

__device__ float panel_cycles(const Counts& c, int blocks) {
  float cycles = 0;
  for (int block = 0; block < blocks; ++block)
    cycles += work(c) * c.tile_m * c.tile_n * c.tile_k / 32 / 64;
  for (int wait = 0; wait < c.waits; ++wait) cycles += 382 + 29 + 31;
  const int warps_of_a_scheduler = (blocks * c.threads / 32 + 3) / 4;
  if (warps_of_a_scheduler == 1)
    for (int p = 0; p < c.tile_k; ++p) cycles += 29;
  return cycles;
}

__global__ void predict(const float* known, int m, int n, int k, float* cycles) {
  Counts c{known[0], known[1], 0, 0, 0, 0, 0, 0};
  c.tile_m = known[2], c.tile_n = known[3], c.tile_k = known[4];
  c.threads = known[5], c.blocks = known[6], c.waits = known[7];
  cycles[0] = work(c);
  cycles[1] = panel_cycles(c, c.blocks);
  int tiles = 0;
  for (int row = 0; row < m; row += c.tile_m)
    for (int col = 0; col < n; col += c.tile_n) ++tiles;
  float last = 0;
  for (int sm = 0; sm < 132; ++sm) {
    int mine = tiles / 132 + (sm < tiles % 132);
    float time = 0;
    while (mine > 0) {
      const int now = mine < c.blocks ? mine : c.blocks;
      time += 666 + ((k - 1) / c.tile_k + 1) * panel_cycles(c, now);
      mine -= now;
    }
    last = last > time ? last : time;
  }
  cycles[2] = last + 1115;
}
