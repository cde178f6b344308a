// Every share has the quotient, and the first blocks have one panel of the rest. Nothing overflows.
__global__ void deal(int tiles, int panels, int room, int4* pieces) {
  const int blocks = static_cast<int>(gridDim.x), all = tiles * panels;
  const int quotient = all / blocks, rest = all % blocks;
  const auto block_of = [&](int panel) {
    const int longer = panel / (quotient + 1);
    return longer < rest ? longer : rest + (panel - rest * (quotient + 1)) / quotient;
  };
  const int block = static_cast<int>(blockIdx.x);
  int cursor = quotient * block + min(block, rest);
  int left = quotient + (block < rest);
  int4* own = pieces + block * room;
  while (left > 0) {
    const int tile = cursor / panels, first = cursor % panels, count = min(left, panels - first);
    const int sharers = block_of(tile * panels + panels - 1) - block_of(tile * panels) + 1;
    *own++ = make_int4(tile, first, count, sharers);
    cursor += count;
    left -= count;
  }
}
