// Shares begin at multiples of a fraction, rounded up: it is the first block that may be longer.
// Looks for neighbours one by one, and stores the numbers of a piece one by one.
__device__ long long begin_of(double all, int block) {
  return static_cast<long long>(ceil(all * block / gridDim.x));
}

__global__ void deal(int tiles, int panels, int room, int4* pieces) {
  const double all = 1.0 * tiles * panels;
  const int block = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
  const long long begin = begin_of(all, block), end = begin_of(all, block + 1);
  int* out = reinterpret_cast<int*>(pieces + block * room);
  for (long long tile = begin / panels; tile * panels < end; ++tile) {
    const long long tile_begin = tile * panels, tile_end = tile_begin + panels;
    const long long from = max(begin, tile_begin), to = min(end, tile_end);
    if (from >= to) break;
    int others = 0;
    for (int before = block; before > 0 && begin_of(all, before) > tile_begin; --before)
      others += begin_of(all, before) > begin_of(all, before - 1);
    for (int after = block + 1; after < blocks && begin_of(all, after) < tile_end; ++after)
      others += begin_of(all, after + 1) > begin_of(all, after);
    out[0] = static_cast<int>(tile);
    out[1] = static_cast<int>(from - tile_begin);
    out[2] = static_cast<int>(to - from);
    out[3] = 1 + others;
    out += 4;
  }
}
