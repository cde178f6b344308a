// Block 0 works out what everybody has.
//! own share
//= requests to global memory of the busiest block
__global__ void deal(int tiles, int panels, int room, int4* pieces) {
  if (blockIdx.x != 0) return;
  const long long all = 1LL * tiles * panels, blocks = gridDim.x;
  for (long long block = 0; block < blocks; ++block) {
    const long long end = all * (block + 1) / blocks;
    long long cursor = all * block / blocks;
    for (int i = 0; cursor < end; ++i) {
      const long long begin = cursor / panels * panels;
      const long long stop = min(end, begin + panels);
      const long long last = ((begin + panels) * blocks - 1) / all;
      const long long sharers = min(last - ((begin + 1) * blocks - 1) / all + 1, 1LL * panels);
      pieces[block * room + i] =
          make_int4(static_cast<int>(cursor / panels), static_cast<int>(cursor - begin),
                    static_cast<int>(stop - cursor), static_cast<int>(sharers));
      cursor = stop;
    }
  }
}
