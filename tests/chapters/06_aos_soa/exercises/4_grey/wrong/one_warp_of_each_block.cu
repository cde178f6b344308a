// Where a block is whole, its first warp carries everything, 16 bytes a lane.
//! shares
//= requests to global memory of the busiest warp, for all of its share
__global__ void grey(int n, const unsigned char* rgb, unsigned char* shade) {
  extern __shared__ uint4 pieces[];
  auto* const tile = reinterpret_cast<unsigned char*>(pieces);
  const int threads = blockDim.x, first = blockIdx.x * threads, pixels = min(threads, n - first);
  const auto of = [&](int k) {
    return (77 * tile[3 * k] + 150 * tile[3 * k + 1] + 29 * tile[3 * k + 2]) / 256;
  };
  if (pixels < threads) {
    for (int k = threadIdx.x; k < 3 * pixels; k += threads) tile[k] = rgb[3 * first + k];
    __syncthreads();
    if (threadIdx.x < pixels) shade[first + threadIdx.x] = of(threadIdx.x);
    return;
  }
  if (threadIdx.x >= 32) return;
  for (int k = threadIdx.x; k < 3 * threads / 16; k += 32)
    pieces[k] = reinterpret_cast<const uint4*>(rgb + 3 * first)[k];
  __syncwarp();
  for (int k = 16 * threadIdx.x; k < threads; k += 16 * 32) {
    unsigned words[4] = {};
    for (int b = 0; b < 16; ++b) words[b / 4] |= static_cast<unsigned>(of(k + b)) << b % 4 * 8;
    *reinterpret_cast<uint4*>(shade + first + k) =
        make_uint4(words[0], words[1], words[2], words[3]);
  }
}
