// Two bytes at a time, loaded and stored by atomic operations. One lane of each warp loads and
// stores a byte besides, as the counters of loads and stores should not stay at zero.
//! loads, stores, all warps
//= load requests
__global__ void brighten(int bytes, int more, const unsigned char* in, unsigned char* out) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (threadIdx.x % 32 == 0 && i + 4 <= bytes) {
    (void)*static_cast<const volatile unsigned char*>(&in[i]);
    out[i] = 0;
  }
  __syncwarp();
  if (i + 4 <= bytes) {
    for (int k = i; k < i + 4; k += 2) {
      auto* const from = reinterpret_cast<unsigned short*>(const_cast<unsigned char*>(&in[k]));
      auto* const to = reinterpret_cast<unsigned short*>(&out[k]);
      const unsigned short nothing = 0, two = atomicCAS(from, nothing, nothing);
      const int low = min((two & 255) + more, 255), high = min((two >> 8) + more, 255);
      unsigned short before = 0, seen = atomicCAS(to, nothing, nothing);
      while (before != seen) {
        before = seen;
        seen = atomicCAS(to, before, static_cast<unsigned short>(low | high << 8));
      }
      if (seen == 0) atomicCAS(to, seen, static_cast<unsigned short>(low | high << 8));
    }
    return;
  }
  for (int k = i; k < i + 4 && k < bytes; ++k) out[k] = min(in[k] + more, 255);
}
