// Goes through all tiles and all blocks, and looks which shares and tiles have panels in common.
// The last piece is written first.
struct Run {
  long long begin, end;
};

__device__ Run common(Run a, Run b) { return {max(a.begin, b.begin), min(a.end, b.end)}; }

__device__ Run share_of(long long all, unsigned block) {
  return {all * block / gridDim.x, all * (block + 1) / gridDim.x};
}

__global__ void deal(int tiles, int panels, int room, int4* pieces) {
  const long long all = static_cast<long long>(tiles) * panels;
  int slot = room;
  for (int tile = 0; tile < tiles; ++tile) {
    const Run run = {1LL * tile * panels, (tile + 1LL) * panels};
    const Run mine = common(run, share_of(all, blockIdx.x));
    if (mine.begin >= mine.end) continue;
    int sharers = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) {
      const Run theirs = common(run, share_of(all, block));
      sharers += theirs.begin < theirs.end;
    }
    pieces[blockIdx.x * room + --slot] =
        make_int4(tile, static_cast<int>(mine.begin - run.begin),
                  static_cast<int>(mine.end - mine.begin), sharers);
  }
}
